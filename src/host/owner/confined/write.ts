import { constants, type BigIntStats } from 'node:fs'
import { lstat, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { about, Refusal, type ByteString, type WriteCall } from './calls.ts'
import { atName } from './names.ts'
import { join, local, parentOf, raw, unfinishedName } from './paths.ts'
import { takeRights } from './rights.ts'
import type { CallRun } from './session.ts'
import { etagOf } from './stat.ts'
import { sizeOf, writeParts } from './write-parts.ts'

/** Replaces a file atomically: its bytes go to a temporary file next to it, which is synced and then renamed. */
export async function writeFile(
  call: WriteCall,
  run: CallRun,
): Promise<{ etag: string; size: number; created: boolean }> {
  const path = await behindLink(call.path)
  const before = await currentFile(path)
  refuseChange(call, before)
  const folder = path.includes('/') ? parentOf(path) : ''
  const unfinished = path.startsWith('/') ? `${folder}/${unfinishedName()}` : join(folder, unfinishedName())
  const file = await open(
    at(unfinished),
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o600,
  ).catch(about(folder.startsWith('/') ? call.path : folder))
  try {
    let size = 0
    for await (const parts of run.body()) {
      if (size + sizeOf(parts) > call.maxBytes)
        throw new Refusal('TOOLARGE', call.path, `the limit is ${call.maxBytes} bytes`)
      size += await writeParts(file, parts, size)
    }
    if (before !== undefined) await takeRights(path, unfinished, run)
    await file.chmod(before === undefined ? call.mode : Number(before.mode) & 0o1777)
    await file.sync()
    await atName(path, async () => {
      refuseChange(call, await currentFile(path))
      await rename(at(unfinished), at(path))
    })
    await syncFolder(folder)
    return { etag: etagOf(await file.stat({ bigint: true })), size, created: before === undefined }
  } catch (error) {
    await rm(at(unfinished), { force: true })
    throw error
  } finally {
    await file.close()
  }
}

/** Resolves a link: writing to it writes its target and keeps the link. This namespace contains only the home. */
export async function behindLink(path: ByteString): Promise<ByteString> {
  const found = await lstat(local(path)).catch(() => undefined)
  return found?.isSymbolicLink() ? realpath(local(path), { encoding: 'latin1' as BufferEncoding }) : path
}

/** Returns the existing file at a path, if any; refuses anything but a file. */
export async function currentFile(path: ByteString): Promise<BigIntStats | undefined> {
  try {
    const found = await stat(at(path), { bigint: true })
    if (found.isDirectory()) throw new Refusal('EISDIR', path)
    if (!found.isFile()) throw new Refusal('NOTREGULAR', path)
    return found
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Refuses a file that does not meet the caller's conditions. */
export function refuseChange(
  call: Pick<WriteCall, 'path' | 'ifMatch' | 'ifAbsent'>,
  found: BigIntStats | undefined,
): void {
  if (call.ifAbsent && found !== undefined) throw new Refusal('EEXIST', call.path)
  if (call.ifMatch === undefined) return
  if (found === undefined || etagOf(found) !== call.ifMatch) throw new Refusal('CHANGED', call.path)
}

function at(path: ByteString): string | Buffer {
  return path.startsWith('/') ? raw(path) : local(path)
}

/** Syncs a folder, so that its names persist. */
export async function syncFolder(folder: ByteString): Promise<void> {
  await using opened = await open(
    folder.startsWith('/') ? raw(folder) : local(folder),
    constants.O_RDONLY | constants.O_DIRECTORY,
  )
  await opened.sync()
}
