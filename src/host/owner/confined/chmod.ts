import { constants } from 'node:fs'
import { chmod, lstat, open, readdir } from 'node:fs/promises'
import { about, failureOf, Refusal, type ByteString, type ChmodCall } from './calls.ts'
import { isReserved, join, local } from './paths.ts'
import { bare } from './place.ts'
import { noting } from './progress.ts'
import type { CallRun } from './session.ts'

/** Sets the mode of a path, with `recursive` also of everything below it, or only of its files or folders. Links are skipped; a link as the path itself is refused. */
export async function changeMode(call: ChmodCall, run: CallRun): Promise<{ changed: number }> {
  const path = await meantBy(call)
  if (!call.recursive) {
    await change(path, call.mode)
    return { changed: 1 }
  }
  const done = { changed: 0 }
  const stop = noting(run, () => ({ entries: done.changed, bytes: 0, readBytes: 0, archiveBytes: 0 }))
  try {
    await changeTree(path, call, done, run)
    return done
  } finally {
    stop()
  }
}

/** Returns the path whose mode is set; refuses a link, and a mode that would lock the owner out of the home. */
export async function meantBy(call: ChmodCall): Promise<ByteString> {
  const path = bare(call.path)
  if (path === '' && (call.mode & 0o700) !== 0o700)
    throw new Refusal('BADPATH', path, 'the owner must keep rwx on the home')
  const found = await lstat(local(call.path)).catch(about(call.path))
  if (found.isSymbolicLink()) throw new Refusal('ISLINK', path, 'it is a link, and links are not followed')
  return path
}

/**
 * Returns true for entries that a recursive change leaves as they are: the panel's own, and of the home the keys of SSH,
 * which sshd refuses with the mode of anything else.
 */
export const isLeftOut = (folder: ByteString, name: ByteString): boolean =>
  isReserved(name) || (folder === '' && name === keysFolder)

const keysFolder = '.ssh'

// A folder stays accessible while we are in it; on leaving it gets the new mode, or its own one back.
async function changeTree(
  path: ByteString,
  call: ChmodCall,
  done: { changed: number },
  run: CallRun,
): Promise<void> {
  if (run.signal.aborted) throw new Refusal('CANCELLED', path)
  const found = await lstat(local(path)).catch(about(path))
  if (found.isSymbolicLink()) return
  const isMeant = call.only === undefined || (call.only === 'folders') === found.isDirectory()
  if (found.isDirectory()) {
    const mode = isMeant ? call.mode : found.mode & 0o7777
    const isClosed = (found.mode & 0o700) !== 0o700
    if (isClosed) await change(path, mode | 0o700)
    try {
      for (const name of await readdir(local(path), { encoding: 'latin1' }).catch(about(path)))
        if (!isLeftOut(path, name)) await changeTree(join(path, name), call, done, run)
    } finally {
      if (isClosed && !isMeant) await change(path, mode)
    }
  }
  if (!isMeant) return
  await change(path, call.mode)
  done.changed++
}

// Through a descriptor opened with O_NOFOLLOW, so that a link created in the meantime is not followed;
// a path that cannot be opened is examined once more instead.
async function change(path: ByteString, mode: number): Promise<void> {
  try {
    await using opened = await open(
      local(path),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY,
    )
    await opened.chmod(mode)
  } catch (error) {
    const { code } = failureOf(error)
    if (code === 'ELOOP') throw new Refusal('ISLINK', path, 'it was replaced by a link')
    if (code !== 'EACCES' && code !== 'ENXIO') about(path)(error)
    if ((await lstat(local(path)).catch(about(path))).isSymbolicLink())
      throw new Refusal('ISLINK', path, 'it was replaced by a link')
    await chmod(local(path), mode).catch(about(path))
  }
}
