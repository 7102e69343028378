import { Problem } from '../../../core/problem.ts'
import { Semaphore } from '../../../core/semaphore.ts'
import { fetchProblems } from '../../../host/fetch/index.ts'
import {
  type GraphMessage,
  GraphRefusal,
  listAttachments,
  type MailFolder,
  readMessages,
} from '../../../tools/graph/index.ts'
import { idOf } from '../archive/place.ts'
import { type Columns, columnsOf, type FolderRound, keepMessage, type MailboxRun } from './message.ts'

/** Messages that are fetched at once. */
const lanes = 4
/** What is said of one message alone: the service cannot make its bytes, or none of this size. */
const ofOneMessage: ReadonlySet<number> = new Set([400, 413, 422, 500, 501])
/** Where there are more of them, it is not the messages that are at fault. */
const mostLeftOut = 100

/** Receives how many messages were new or had changed. */
export type OnMessages = (count: number) => Promise<void>

/** Fetches messages with their attachments, and returns how many there were. One that the server cannot send is left out. */
export async function fetchAll(
  on: MailboxRun,
  folder: FolderRound,
  messages: readonly GraphMessage[],
): Promise<number> {
  const { graph, userId, signal } = on
  const attachments = await attachmentsOf(on, messages).catch(ifOfOneMessage)
  return takeAll(on, messages, async (message) => {
    const columns = columnsOf(message, folder)
    try {
      const list =
        attachments === undefined
          ? (await listAttachments(graph, userId, [message.id], signal))[0]
          : attachments.get(message.id)
      return await twice(() => keepMessage(on, columns, list ?? []))
    } catch (error) {
      leaveOut(on, columns, error)
      return false
    }
  })
}

/** Asks again for what the server could not send in an earlier run. */
export async function fetchLeftOut(
  on: MailboxRun,
  { id, path }: MailFolder,
  onMessages: OnMessages,
): Promise<void> {
  const { archive, graph, userId, signal } = on
  const left = archive.leftOut().filter(({ folder_id }) => folder_id === id)
  const row = archive.folder(id)
  if (left.length === 0 || row === undefined) return
  const ids = left.map(({ graph_id }) => graph_id)
  const found = await readMessages(graph, userId, ids, signal).catch(ifOfOneMessage)
  if (found === undefined) return
  const known = new Set(found.map((message) => idOf(message.id)))
  for (const each of left) if (!known.has(each.id)) archive.forgetLeftOut(each.id)
  const added = await fetchAll(on, { ...row, path }, found)
  if (added > 0) await onMessages(added)
}

/** Lists the attachments of the messages that have some. */
async function attachmentsOf({ graph, userId, signal }: MailboxRun, messages: readonly GraphMessage[]) {
  const ids = messages.filter(({ hasAttachments }) => hasAttachments === true).map(({ id }) => id)
  const lists = await listAttachments(graph, userId, ids, signal)
  return new Map(ids.map((id, index) => [id, lists[index] ?? []]))
}

function ifOfOneMessage(error: unknown): undefined {
  if (!(error instanceof GraphRefusal && ofOneMessage.has(error.status))) throw error
}

/** One of them does not keep the others, and later changes, from being backed up. */
function leaveOut({ archive }: MailboxRun, { id, graph_id, folder_id }: Columns, error: unknown): void {
  if (!(error instanceof GraphRefusal && ofOneMessage.has(error.status))) throw error
  const left = archive.leftOut()
  if (left.length >= mostLeftOut && left.every((each) => each.id !== id)) throw error
  archive.leaveOut({ id, graph_id, folder_id, reason: error.message.slice(0, 500) })
}

/** A connection can break while a message arrives. */
async function twice<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== fetchProblems.FetchFailed) throw error
    return work()
  }
}

/** Fetches messages a few at once. One that fails ends the others only once they are stored: none is fetched again for it. */
async function takeAll(
  { signal }: Pick<MailboxRun, 'signal'>,
  messages: readonly GraphMessage[],
  take: (message: GraphMessage) => Promise<boolean>,
): Promise<number> {
  const free = new Semaphore(lanes)
  let failure: unknown
  let count = 0
  const takeOne = async (message: GraphMessage) => {
    if (failure !== undefined || signal.aborted) return
    try {
      if (await take(message)) count += 1
    } catch (error) {
      failure ??= error
    }
  }
  await Promise.all(messages.map((message) => free.run(() => takeOne(message))))
  signal.throwIfAborted()
  if (failure !== undefined) throw failure
  return count
}
