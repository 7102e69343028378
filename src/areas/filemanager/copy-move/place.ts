import { Problem } from '../../../core/problem.ts'
import { ownerProblems, type ArchiveProgress, type Owner, textOf } from '../../../host/owner/index.ts'
import type { HistoryRecorder } from '../history/history-recorder.ts'
import { childOf, type TextPath } from '../paths.ts'
import { inMessage, PlacedInPart } from './problems.ts'

/** What is placed, and where it stands then. */
export interface Placed {
  readonly from: TextPath
  readonly to: TextPath
  readonly overwrite: boolean
}

export interface Transfer {
  readonly owner: Owner
  readonly past: HistoryRecorder
  readonly verb: 'copy' | 'move'
  readonly username: string
  /** The panel user who does it, for the history. */
  readonly by: number
  readonly signal: AbortSignal
  readonly onProgress: (done: ArchiveProgress) => void
}

/**
 * Copies or moves one thing. Where it may replace, a folder is joined with one that stands there, and the history keeps each file that goes. What
 * cannot be brought into such a folder keeps nothing else from it, and is named at the end.
 */
export async function place(transfer: Transfer, placed: Placed): Promise<void> {
  const failures: Problem[] = []
  await placeOne({ ...transfer, failures }, placed)
  const [first] = failures
  if (first !== undefined)
    throw failures.length === 1
      ? first
      : PlacedInPart(`${failures.length} could not be placed: ${inMessage(failures)}`)
}

interface TransferRun extends Transfer {
  readonly failures: Problem[]
}

async function placeOne(transfer: TransferRun, placed: Placed): Promise<void> {
  const { owner, past, verb, username, by, signal, onProgress } = transfer
  const { from, to, overwrite } = placed
  signal.throwIfAborted()
  if (overwrite && (await areFolders(owner, placed))) return join(transfer, placed)
  const work = async () => void (await owner[verb](from, to, { overwrite, signal, onProgress }))
  await (overwrite ? past.replacing({ username, path: to, by, through: verb }, work) : work())
  if (verb === 'move') await past.follow(username, from, to)
}

/** Brings what stands in one folder into another. What is moved leaves an empty folder, which goes as well. */
async function join(transfer: TransferRun, { from, to }: Placed): Promise<void> {
  const { owner, verb, failures, signal } = transfer
  const failedBefore = failures.length
  refuseInsideItself({ from, to })
  for (const name of await namesIn(transfer, from)) {
    const child = { field: from.field, path: name }
    await placeOne(transfer, { from: childOf(from, child), to: childOf(to, child), overwrite: true }).catch(
      (error: unknown) => {
        if (signal.aborted || !(error instanceof Problem)) throw error
        const staysBehind = verb === 'copy' && error.kind === ownerProblems.NotAFile // a pipe or a socket, as in a copy of a whole folder
        if (!staysBehind) failures.push(error)
      },
    )
  }
  if (verb === 'move' && failures.length === failedBefore) await owner.remove([from])
}

/** Refuses to bring a folder into one that lies in it. */
export function refuseInsideItself({ from, to }: Pick<Placed, 'from' | 'to'>): void {
  if (isWithin(to, from))
    throw ownerProblems.PathInvalid(`${to.field}: ${to.path}: a folder cannot go into itself`)
}

/** Whether both are folders, so that what one holds is brought into the other. */
export async function areFolders(owner: Owner, { from, to }: Placed): Promise<boolean> {
  const [source, target] = await Promise.all(
    [from, to].map((path) => owner.stat(path).catch(() => undefined)),
  ) // the work itself says what is wrong
  return source?.type === 'folder' && target?.type === 'folder'
}

const isWithin = (inner: TextPath, outer: TextPath): boolean =>
  `${bare(inner.path)}/`.startsWith(`${bare(outer.path)}/`)
const bare = (path: string): string => path.split('/').filter(Boolean).join('/')

const pageSize = 500
const mostNames = 200_000

/** All names of a folder, read before the first of them moves. How many there are is the word of a program that its owner may replace. */
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
    `${folder.field}: ${folder.path} has more than the ${mostNames} entries that are brought into another folder at once`,
  )
}
