import { constants } from 'node:fs'
import { lstat, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { Refusal } from './calls.ts'
import { local, uploads } from './paths.ts'
import type { CallRun } from './session.ts'
import type { UploadCall, UploadOpen } from './upload-calls.ts'
import { appendPart } from './upload-append.ts'
import { cutUpload, openParts, openPartsIfAny } from './upload-parts.ts'
import { placeUpload } from './upload-place.ts'
import { sealUpload } from './upload-seal.ts'

/** Carries out the calls for an upload in parts. */
export function carryUpload(call: UploadCall, run: CallRun): unknown {
  if (!/^[a-z0-9-]{1,60}$/.test(call.name)) throw new Refusal('BADPATH', call.name)
  switch (call.verb) {
    case 'open':
      return beginUpload(call)
    case 'look':
      return lookAtUpload(call.name)
    case 'size':
      return sizeOfUpload(call.name)
    case 'append':
      return appendPart(call, run)
    case 'seal':
      return sealUpload(call, run)
    case 'place':
      return placeUpload(call, run)
    case 'cut':
      return cutUpload(call.name, call.size)
  }
}

async function beginUpload({ name, size }: UploadOpen): Promise<{ free: number }> {
  const free = await freeBytes()
  if (free < size) return { free }
  await using file = await openParts(name, constants.O_CREAT)
  await file.sync()
  return { free }
}

async function lookAtUpload(name: string): Promise<{ free: number; isOpen: boolean }> {
  await using file = await openPartsIfAny(name)
  return { free: await freeBytes(), isOpen: file !== undefined }
}

async function freeBytes(): Promise<number> {
  const { bavail, bsize } = await statfs('.', { bigint: true })
  return Math.min(Number(bavail * bsize), Number.MAX_SAFE_INTEGER)
}

// The reported size is on the disk: a truncated part has not been synced yet.
async function sizeOfUpload(name: string): Promise<{ size: number }> {
  await using file = await openPartsIfAny(name)
  await file?.datasync()
  return { size: (await file?.stat())?.size ?? 0 }
}

const dayMs = 24 * 3_600_000
const oldMs = 7 * dayMs
const mark = '.old'

/**
 * Removes parts that were not extended for a week: the panel lost track of them, for example when its store was restored from a backup.
 * They are marked first and removed when the mark is a day old, as a clock that is ahead for a moment makes all parts look old.
 */
export async function removeOldUploads(): Promise<void> {
  const names = await readdir(local(uploads), { encoding: 'latin1' }).catch((): string[] => [])
  for (const name of names) {
    const isMark = name.endsWith(mark)
    if (isMark && names.includes(name.slice(0, -mark.length))) continue
    if (isMark || (await isOlder(name, oldMs))) await removeMarked(name, isMark).catch(() => {})
    else await rm(local(`${uploads}/${name}${mark}`), { force: true }).catch(() => {})
  }
}

async function isOlder(name: string, ageMs: number): Promise<boolean> {
  const found = await lstat(local(`${uploads}/${name}`)).catch(() => undefined)
  return found !== undefined && found.mtimeMs < Date.now() - ageMs
}

async function removeMarked(name: string, isMark: boolean): Promise<void> {
  if (!isMark && !(await isOlder(`${name}${mark}`, dayMs)))
    return writeFile(local(`${uploads}/${name}${mark}`), '', { flag: 'wx', mode: 0o600 })
  await rm(local(`${uploads}/${name}`), { recursive: true, force: true })
}
