import { accessSync, constants, lstatSync, readlinkSync, type BigIntStats, type Stats } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import type { ByteString, EntryRow, StatCall, StatRow } from './calls.ts'
import { local, nameOf } from './paths.ts'

/** Describes one path; for a link, the link itself, not its target. */
export async function statPath(call: StatCall): Promise<StatRow> {
  const path = local(call.path)
  const found = await lstat(path, { bigint: true })
  return {
    ...describe(call.path, nameOf(call.path.replace(/\/+$/, ''))),
    etag: await etagThroughLink(call.path, found),
  }
}

/** Changes whenever the file's bytes may have changed: inode, size, and both times in nanoseconds. */
export function etagOf(found: BigIntStats): string {
  return [found.ino, found.size, found.mtimeNs, found.ctimeNs].map((number) => number.toString(36)).join('-')
}

/** Returns a row of a list. Synchronous: a folder of 10,000 entries costs ten times as much through the thread pool. */
export function describe(path: ByteString, name: ByteString): EntryRow {
  const found = lstatSync(local(path))
  const type = typeOf(found)
  return {
    name,
    type,
    size: found.size,
    mode: found.mode & 0o7777,
    uid: found.uid,
    gid: found.gid,
    mtimeMs: Math.trunc(found.mtimeMs),
    locked: (type === 'file' || type === 'folder') && isLocked(path),
    ...(type === 'link' ? { target: readlinkSync(local(path), { encoding: 'latin1' }) } : {}),
  }
}

// A write to a link goes to its target, so `ifMatch` compares the target.
async function etagThroughLink(path: ByteString, found: BigIntStats): Promise<string> {
  if (!found.isSymbolicLink()) return etagOf(found)
  try {
    return etagOf(await stat(local(path), { bigint: true }))
  } catch {
    return etagOf(found) // a dangling link
  }
}

/** The type of an entry, as a row shows it. */
export function typeOf(found: Stats): EntryRow['type'] {
  if (found.isFile()) return 'file'
  if (found.isDirectory()) return 'folder'
  return found.isSymbolicLink() ? 'link' : 'other'
}

/** Returns true if a file or folder is locked: a check for write access then fails with EPERM, not EACCES, before the kernel looks at the mode (inode_permission). */
export function isLocked(path: ByteString): boolean {
  try {
    accessSync(local(path), constants.W_OK)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
