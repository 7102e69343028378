import { lstat, mkdir, readdir, rmdir, unlink } from 'node:fs/promises'
import { about, failureOf, Refusal, type ByteString, type MkdirCall, type RemoveCall } from './calls.ts'
import { join, local, parentOf } from './paths.ts'
import { removeDeep, type Watch, watchOf } from './remove-tree.ts'
import type { CallRun } from './session.ts'
import { throwAway } from './trash.ts'

/** Creates a folder; with `recursive` also its parents, and an existing folder is accepted. */
export async function makeFolder(call: MkdirCall): Promise<void> {
  await mkdir(local(call.path), { recursive: call.recursive, mode: call.mode }).catch((error: unknown) => {
    const above = parentOf(call.path.replace(/\/+$/, ''))
    about(failureOf(error).code === 'ENOENT' && above !== '' ? above : call.path)(error)
  })
}

/**
 * Removes paths in order and stops at the first failure, whose path it names; removed paths stay removed. Before
 * anything is moved to the trash, missing paths are refused.
 */
export async function removePaths(call: RemoveCall, run: CallRun): Promise<{ removed: number }> {
  if (call.trash) for (const path of call.paths) await refuseAbsent(path)
  let removed = 0
  for (const path of call.paths) {
    try {
      await (call.trash ? throwAway(path, run) : removeWhole(path, call.recursive, watchOf(run)))
    } catch (error) {
      const failure = failureOf(error, path)
      const before =
        removed === 0
          ? undefined
          : `${removed} of ${call.paths.length} ${call.trash ? 'are in the trash' : 'are removed'} already`
      throw new Refusal(failure.code, failure.path ?? path, failure.why, failure.partly ?? before)
    }
    removed++
  }
  return { removed }
}

/** Refuses a missing path, and a non-folder where a folder is required. */
export async function refuseAbsent(path: ByteString): Promise<void> {
  const found = await lstat(local(path.replace(/\/+$/, ''))).catch(about(path))
  if (path.endsWith('/') && !found.isDirectory()) throw new Refusal('ENOTDIR', path)
}

// For a mount point, rmdir fails with EBUSY before the kernel checks that the folder is empty: this detects it before any content is removed.
async function isRemovedAtOnce(path: ByteString): Promise<boolean> {
  if (!(await lstat(local(path))).isDirectory()) return false
  return rmdir(local(path)).then(
    () => true,
    (error: unknown) => (failureOf(error).code === 'EBUSY' ? about(path)(error) : false),
  )
}

async function removeWhole(named: ByteString, recursive: boolean, watch: Watch): Promise<void> {
  await refuseAbsent(named)
  const path = named.replace(/\/+$/, '')
  try {
    if (await isRemovedAtOnce(path)) return watch.removed()
    await removeOne(path, recursive, watch)
  } catch (error) {
    if (failureOf(error).code !== 'ENAMETOOLONG' || !recursive) throw error
    await removeDeep(path, watch)
  }
}

async function removeOne(path: ByteString, recursive: boolean, watch: Watch): Promise<void> {
  if (watch.signal.aborted) throw new Refusal('CANCELLED', path)
  const found = await lstat(local(path))
  if (!found.isDirectory()) {
    await unlink(local(path))
    return watch.removed()
  }
  if (recursive) {
    for (const name of await readdir(local(path), { encoding: 'latin1' }))
      await removeOne(join(path, name), true, watch)
  }
  await rmdir(local(path)).catch((error) => {
    throw new Refusal(failureOf(error).code, path)
  })
  watch.removed()
}
