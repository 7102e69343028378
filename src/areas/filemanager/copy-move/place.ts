import { Problem } from '../../../core/problem.ts'
import { ownerProblems, type ArchiveProgress, type Owner, textOf } from '../../../host/owner/index.ts'
import type { HistoryRecorder } from '../history/history-recorder.ts'
import { childOf, type TextPath } from '../paths.ts'
import { inMessage, PlacedInPart } from './problems.ts'

/** The source and the destination of one entry. */
export interface Placed {
  readonly from: TextPath
  readonly to: TextPath
  readonly overwrite: boolean
}

export interface Transfer {
  readonly owner: Owner
  readonly recorder: HistoryRecorder
  readonly verb: 'copy' | 'move'
  readonly username: string
  /** The panel user to record in the history. */
  readonly by: number
  readonly signal: AbortSignal
  readonly onProgress: (done: ArchiveProgress) => void
}

/**
 * Copies or moves one entry. With `overwrite`, a folder is merged into an existing folder, and the history keeps each replaced file. An entry that
 * cannot be merged does not stop the others, and the problem thrown at the end names it.
 */
export async function place(transfer: Transfer, placed: Placed): Promise<void> {
  const failures: Problem[] = []
  await placeOne({ ...transfer, failures }, placed)
  const [first] = failures
  if (first !== undefined)
    throw failures.length === 1
      ? first
      : PlacedInPart(`${failures.length} entries failed: ${inMessage(failures)}`, {
          fields: { is_partial: true },
        })
}

interface TransferRun extends Transfer {
  readonly failures: Problem[]
}

async function placeOne(transfer: TransferRun, placed: Placed): Promise<void> {
  const { owner, recorder, verb, username, by, signal, onProgress } = transfer
  const { from, to, overwrite } = placed
  signal.throwIfAborted()
  if (overwrite && (await areFolders(owner, placed))) return join(transfer, placed)
  const work = async () => void (await owner[verb](from, to, { overwrite, signal, onProgress }))
  await (overwrite ? recorder.replacing({ username, path: to, by, through: verb }, work) : work())
  if (verb === 'move') await recorder.follow(username, from, to)
}

/** Merges the content of one folder into another. A move also removes the source folder, which is then empty. */
async function join(transfer: TransferRun, { from, to }: Placed): Promise<void> {
  const { owner, verb, failures, signal } = transfer
  const failedBefore = failures.length
  refuseInsideItself({ from, to })
  for (const name of await namesIn(transfer, from)) {
    const child = { field: from.field, path: name }
    await placeOne(transfer, { from: childOf(from, child), to: childOf(to, child), overwrite: true }).catch(
      (error: unknown) => {
        if (signal.aborted || !(error instanceof Problem)) throw error
        const staysBehind = verb === 'copy' && error.kind === ownerProblems.NotAFile // pipes and sockets are skipped, as in a copy of a whole folder
        if (!staysBehind) failures.push(error)
      },
    )
  }
  if (verb === 'move' && failures.length === failedBefore) await owner.remove([from])
}

/** Throws if the destination is inside the source. */
export function refuseInsideItself({ from, to }: Pick<Placed, 'from' | 'to'>): void {
  if (isWithin(to, from))
    throw ownerProblems.PathInvalid(`${to.field}: ${to.path}: a folder cannot go into itself`)
}

/** Returns true if both are folders, so that the source is merged into the destination. */
export async function areFolders(owner: Owner, { from, to }: Placed): Promise<boolean> {
  const [source, target] = await Promise.all(
    [from, to].map((path) => owner.stat(path).catch(() => undefined)),
  ) // the transfer itself reports the error
  return source?.type === 'folder' && target?.type === 'folder'
}

const isWithin = (inner: TextPath, outer: TextPath): boolean =>
  `${bare(inner.path)}/`.startsWith(`${bare(outer.path)}/`)
const bare = (path: string): string => path.split('/').filter(Boolean).join('/')

const pageSize = 500
const mostNames = 200_000

/** Reads all names of a folder before the first of them moves. The limit is needed because the hosting user can tamper with the helper that lists them. */
async function namesIn({ owner, signal }: Transfer, folder: TextPath): Promise<readonly string[]> {
  const names: string[] = []
  for (let page = 1; names.length <= mostNames; page++) {
    signal.throwIfAborted()
    const { items } = await owner.list(folder, { page, perPage: pageSize, showHidden: true })
    for (const { name, name_b64 } of items)
      names.push(name_b64 === undefined ? name : textOf(Buffer.from(name_b64, 'base64')))
    if (items.length < pageSize) return names
  }
  throw ownerProblems.TooLarge(
    `${folder.field}: ${folder.path} has more than ${mostNames} entries, the limit for merging folders`,
  )
}
