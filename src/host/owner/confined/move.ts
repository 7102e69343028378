import { access, constants } from 'node:fs/promises'
import { about, partly, type ByteString, type MoveCall } from './calls.ts'
import { copyInto } from './copy.ts'
import { atName, renamed } from './names.ts'
import { local, parentOf } from './paths.ts'
import { placeFor } from './place.ts'
import { removeTree, watchOf } from './remove-tree.ts'
import type { CallRun } from './session.ts'

/** Renames; where the new place is on another file system it is copied there as a whole, and then removed here. */
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
    `All of it stands at ${Buffer.from(to, 'latin1').toString()} now, and what could not be removed is here still`,
    run,
  )
}

/** Refuses what could be copied to another file system, but not be taken away here. */
export async function mayRemove(path: ByteString): Promise<void> {
  await access(local(parentOf(path)), constants.W_OK | constants.X_OK).catch(about(path))
}

/** Removes what was copied elsewhere. To stop in the middle would help nobody. */
export async function remove(path: ByteString, standsElsewhere: string, run: CallRun): Promise<void> {
  const { signal } = new AbortController()
  await removeTree(path, { ...watchOf(run), signal }).catch(partly(standsElsewhere, path))
}
