import { access, constants } from 'node:fs/promises'
import { about, partly, type ByteString, type MoveCall } from './calls.ts'
import { copyInto } from './copy.ts'
import { atName, renamed } from './names.ts'
import { local, parentOf } from './paths.ts'
import { placeFor } from './place.ts'
import { removeTree, watchOf } from './remove-tree.ts'
import type { CallRun } from './session.ts'

/** Renames; if the destination is on another file system, the source is copied completely and then removed. */
export async function movePath(call: MoveCall, run: CallRun): Promise<void> {
  const { from, to } = await placeFor(call)
  const isDone = await atName(to, async () => {
    await placeFor(call)
    return renamed(from, to)
  })
  if (isDone) return
  await mayRemove(from)
  await copyInto(from, to, run, { beforeTransfer: () => placeFor(call), isToGo: true })
  await remove(
    from,
    `Everything was copied to ${Buffer.from(to, 'latin1').toString()}; the entries that could not be removed remain here`,
    run,
  )
}

/** Refuses an entry that could be copied to another file system but not be removed here. */
export async function mayRemove(path: ByteString): Promise<void> {
  await access(local(parentOf(path)), constants.W_OK | constants.X_OK).catch(about(path))
}

/** Removes the source after it was copied. Stopping halfway would be of no use. */
export async function remove(path: ByteString, standsElsewhere: string, run: CallRun): Promise<void> {
  const { signal } = new AbortController()
  await removeTree(path, { ...watchOf(run), signal }).catch(partly(standsElsewhere, path))
}
