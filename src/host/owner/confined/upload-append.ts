import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { failureOf, Refusal } from './calls.ts'
import type { CallRun } from './session.ts'
import type { Appended, UploadAppend } from './upload-calls.ts'
import { cutUpload, openParts, openPartsIfAny } from './upload-parts.ts'
import { sizeOf, writeParts } from './write-parts.ts'

const syncEveryBytes = 64 * 1024 * 1024

/**
 * Appends a part to an upload, and replies when it is on the disk. The received bytes of a truncated part stay, unless the part has a
 * checksum: then it counts completely or not at all. On a full disk the whole upload is removed, as the owner needs the space.
 */
export async function appendPart(call: UploadAppend, run: CallRun): Promise<Appended> {
  const { name, offset, sha256 } = call
  await using file = await (offset === 0 ? openParts(name, constants.O_CREAT) : openPartsIfAny(name))
  const { size } = (await file?.stat()) ?? { size: 0 }
  if (file === undefined || size !== offset) {
    await file?.datasync()
    return { outcome: 'offset', size }
  }
  try {
    const { end, digest } = await receive(file, call, run)
    if (sha256 === undefined || digest === sha256) return { outcome: 'appended', size: end }
    await file.truncate(offset)
    return { outcome: 'checksum', size: offset }
  } catch (error) {
    const { code } = failureOf(error)
    if (code === 'ENOSPC' || code === 'EDQUOT') await cutUpload(name, 0)
    else if (sha256 !== undefined || code === 'TOOLARGE') await file.truncate(offset)
    throw error
  }
}

async function receive(
  file: FileHandle,
  { offset, maxBytes, sha256 }: UploadAppend,
  run: CallRun,
): Promise<{ end: number; digest: string }> {
  const hash = createHash('sha256')
  let [end, synced, syncing] = [offset, offset, Promise.resolve()]
  for await (const parts of run.body()) {
    if (end - offset + sizeOf(parts) > maxBytes)
      throw new Refusal('TOOLARGE', undefined, `the upload ends ${maxBytes} bytes after byte ${offset}`)
    if (sha256 !== undefined) for (const part of parts) hash.update(part)
    end += await writeParts(file, parts, end)
    if (end - synced < syncEveryBytes) continue
    await syncing // one at a time: the disk is never more than two of them behind
    syncing = file.datasync()
    syncing.catch(() => {}) // the next sync, or the last, meets the same failure
    synced = end
  }
  await syncing
  await file.datasync()
  return { end, digest: hash.digest('hex') }
}
