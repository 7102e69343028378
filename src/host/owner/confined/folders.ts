import { lstat, mkdir, readdir, rmdir, unlink } from 'node:fs/promises'
import { about, failureOf, Refusal, type ByteString, type MkdirCall, type RemoveCall } from './calls.ts'
import { join, local, parentOf } from './paths.ts'
import { throwAway } from './trash.ts'
import type { CallRun } from './session.ts'

/** Makes a folder; with `recursive` also those above it, and one that is there already is fine. */
export async function makeFolder(call: MkdirCall): Promise<void> {
  await mkdir(local(call.path), { recursive: call.recursive, mode: call.mode }).catch((error: unknown) => {
    const above = parentOf(call.path.replace(/\/+$/, ''))
    about(failureOf(error).code === 'ENOENT' && above !== '' ? above : call.path)(error)
  })
}

/** Removes in order and stops at the first failure, which it names; what was removed before stays removed. */
export async function removePaths(call: RemoveCall, run: CallRun): Promise<{ removed: number }> {
  let removed = 0
  for (const path of call.paths) {
    try {
      await (call.trash ? throwAway(path, run) : removeOne(path.replace(/\/+$/, ''), call.recursive, run, progress(run)))
    } catch (error) {
      const failure = failureOf(error, path)
      throw new Refusal(failure.code, failure.path ?? path, failure.why)
    }
    removed++
  }
  return { removed }
}

async function removeOne(path: ByteString, recursive: boolean, run: CallRun, removedOne: () => void): Promise<void> {
  if (run.signal.aborted) throw new Refusal('CANCELLED', path)
  const found = await lstat(local(path))
  if (!found.isDirectory()) {
    await unlink(local(path))
    return removedOne()
  }
  if (recursive) {
    for (const name of await readdir(local(path), { encoding: 'latin1' })) await removeOne(join(path, name), true, run, removedOne)
  }
  await rmdir(local(path)).catch((error) => {
    throw new Refusal(failureOf(error).code, path)
  })
  removedOne()
}

// Tells the panel now and then that work goes on, so that a long removal is not taken for a stuck one.
function progress(run: CallRun): () => void {
  let count = 0
  return () => {
    if (++count % 2000 === 0) run.note({ entries: count, bytes: 0, readBytes: 0, archiveBytes: 0 })
  }
}
