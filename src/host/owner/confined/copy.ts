import type { Stats } from 'node:fs'
import { chmod, lstat, lutimes, mkdir, readdir, readlink, rename, symlink, utimes } from 'node:fs/promises'
import { about, Refusal, type ByteString, type Copied, type CopyCall } from './calls.ts'
import { copyContent } from './copy-content.ts'
import { isReserved, join, local, parentOf, raw, unfinishedName } from './paths.ts'
import { placeFor } from './place.ts'
import { noting } from './progress.ts'
import { removeTree } from './remove-tree.ts'
import type { CallRun } from './session.ts'

/** Copies a file, a link or a folder with modes and times. A link is copied as a link, nothing behind it is read. */
export async function copyPath(call: CopyCall, run: CallRun): Promise<Copied> {
  const { from, to } = await placeFor(call)
  return copyInto(from, to, run)
}

/** Copies beside the place, and gives the copy its name when it is whole. */
export async function copyInto(from: ByteString, to: ByteString, run: CallRun): Promise<Copied> {
  const scratch = join(parentOf(to), unfinishedName())
  const done = { entries: 0, bytes: 0, skipped: 0 }
  const stop = noting(run, () => ({ entries: done.entries, bytes: done.bytes, readBytes: done.bytes, archiveBytes: 0 }))
  try {
    const folders: Folder[] = []
    if (!(await copyEntry({ done, run, folders }, from, scratch))) throw new Refusal('NOTREGULAR', from)
    // Times and modes of folders come last: making an entry changes the time, and a mode may forbid it.
    for (const { path, found } of folders.toReversed()) await dress(path, found)
    if (run.signal.aborted) throw new Refusal('CANCELLED')
    await rename(local(scratch), local(to)).catch(about(to))
    return done
  } catch (error) {
    await removeTree(scratch)
    throw error
  } finally {
    stop()
  }
}

interface Folder {
  readonly path: ByteString
  readonly found: Stats
}
interface Copying {
  readonly done: { entries: number; bytes: number; skipped: number }
  readonly run: CallRun
  readonly folders: Folder[]
}

async function copyEntry(copying: Copying, from: ByteString, to: ByteString): Promise<boolean> {
  const { done, run, folders } = copying
  if (run.signal.aborted) throw new Refusal('CANCELLED')
  const found = await lstat(local(from)).catch(about(from))
  const isKnown = found.isDirectory() || found.isFile() || found.isSymbolicLink()
  if (!isKnown) return false
  done.entries++
  if (found.isSymbolicLink()) {
    await symlink(raw(await readlink(local(from), { encoding: 'latin1' as BufferEncoding })), local(to)).catch(about(from))
    await lutimes(local(to), found.atimeMs / 1000, found.mtimeMs / 1000)
    return true
  }
  if (found.isFile()) {
    await copyContent(
      {
        from,
        to,
        size: found.size,
        copied: (size) => {
          done.bytes += size
        },
      },
      run,
    ).catch(about(from))
    await dress(to, found)
    return true
  }
  await mkdir(local(to), { mode: 0o700 }).catch(about(from))
  folders.push({ path: to, found })
  for (const name of await readdir(local(from), { encoding: 'latin1' }).catch(about(from))) {
    if (!isReserved(name) && !(await copyEntry(copying, join(from, name), join(to, name)))) done.skipped++
  }
  return true
}

// setuid and setgid do not travel. As numbers of seconds, times keep their microseconds.
async function dress(path: ByteString, found: Stats): Promise<void> {
  await chmod(local(path), found.mode & 0o1777)
  await utimes(local(path), found.atimeMs / 1000, found.mtimeMs / 1000)
}
