import { lstat, rename } from 'node:fs/promises'
import { about, Refusal, type ByteString, type Copied, type CopyCall } from './calls.ts'
import { copyTree, progressOf, survey, totalOf } from './copy-tree.ts'
import { join, local, parentOf, unfinishedName } from './paths.ts'
import { atName } from './names.ts'
import { placeFor } from './place.ts'
import { noting } from './progress.ts'
import { removeLeftover } from './list.ts'
import type { CallRun } from './session.ts'

/** Copies a file, a link or a folder with modes, ACLs, attributes and times. A link is copied as a link, its target is not read. */
export async function copyPath(call: CopyCall, run: CallRun): Promise<Copied> {
  const { from, to } = await placeFor(call)
  return copyInto(from, to, run, { beforeTransfer: () => placeFor(call) })
}

interface Into {
  /** Checks again that the name may be taken. */
  readonly beforeTransfer?: () => Promise<unknown>
  /** True if the original is to be removed afterwards. */
  readonly isToGo?: boolean
}

/** Copies to a temporary name next to the destination and renames the copy when it is complete. setuid and setgid are not copied. */
export async function copyInto(
  from: ByteString,
  to: ByteString,
  run: CallRun,
  { beforeTransfer, isToGo = false }: Into = {},
): Promise<Copied> {
  const found = await lstat(local(from)).catch(about(from))
  if (!found.isDirectory() && !found.isFile() && !found.isSymbolicLink())
    throw new Refusal('NOTREGULAR', from)
  const scratch = join(parentOf(to), unfinishedName())
  const copying = await survey(from, isToGo, run)
  const total = totalOf(copying)
  const stop = noting(run, () => {
    const { entries, bytes } = progressOf(copying, scratch)
    return { entries, bytes, readBytes: Math.min(bytes, total.bytes), archiveBytes: total.bytes }
  })
  try {
    await copyTree(from, scratch, copying, run)
    if (run.signal.aborted) throw new Refusal('CANCELLED')
    const place = async () => {
      await beforeTransfer?.()
      await rename(local(scratch), local(to)).catch(about(to))
    }
    await (beforeTransfer === undefined ? place() : atName(to, place))
    return total
  } catch (error) {
    await removeLeftover(scratch) // the reason why the copy failed matters more
    throw error
  } finally {
    stop()
  }
}
