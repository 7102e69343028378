import { Problem } from '../../../core/problem.ts'
import { Semaphore } from '../../../core/semaphore.ts'
import { fetchProblems } from '../../../host/fetch/index.ts'
import {
  GraphFailed,
  type GraphMessage,
  GraphRefusal,
  listAttachments,
  type MailFolder,
  readChanges,
  readMessages,
} from '../../../tools/graph/index.ts'
import { idOf } from '../archive/place.ts'
import type { FolderRow } from '../archive/rows.ts'
import { columnsOf, isKept, keepAgain, keepMessage, type MailboxRun } from './message.ts'

/** Messages that are fetched at once. */
const lanes = 4
const mostPages = 200_000
const mostEmptyPages = 1000
const mostRestarts = 3

/** Receives how many messages were new or had changed. */
export type OnMessages = (count: number) => Promise<void>

/** Brings the backup of a folder up to date, from where the last round, or an interrupted one, has ended. */
export async function backUpFolder(
  on: MailboxRun,
  folder: MailFolder,
  onMessages: OnMessages,
): Promise<void> {
  const { archive, graph, signal } = on
  archive.nameFolder(folder.id, folder.path)
  const { cursor = null } = archive.folder(folder.id) ?? {}
  // the setting of the server was changed
  if (cursor !== null && !graph.owns(cursor)) archive.beginFullRound(folder.id)
  for (let restarts = 0; ; restarts += 1)
    try {
      return await readRound(on, folder, onMessages)
    } catch (error) {
      signal.throwIfAborted()
      // the server forgets where a reader was after some time
      if (!(error instanceof GraphRefusal) || error.status !== 410 || restarts >= mostRestarts) throw error
      archive.beginFullRound(folder.id)
    }
}

async function readRound(on: MailboxRun, folder: MailFolder, onMessages: OnMessages): Promise<void> {
  const { archive, graph, userId, signal } = on
  const row = archive.folder(folder.id)
  if (row === undefined) throw new Error('a folder is read before it is named')
  const seen = new Set<string>()
  let cursor = row.cursor ?? undefined
  let emptyPages = 0
  for (;;) {
    signal.throwIfAborted()
    const page = await readChanges(graph, { userId, folderId: folder.id }, cursor, signal)
    const added = await keepPage(on, { ...row, path: folder.path }, page.messages)
    if (added > 0) await onMessages(added)
    if (page.next === undefined) {
      archive.endRound(row, page.delta ?? '', on.now().toISOString())
      return
    }
    emptyPages = page.messages.length === 0 ? emptyPages + 1 : 0
    if (seen.has(page.next) || seen.size >= mostPages || emptyPages >= mostEmptyPages)
      throw GraphFailed(`Microsoft Graph sends changes of the folder ${folder.path} without an end`)
    seen.add(page.next)
    cursor = page.next
    archive.keepCursor(folder.id, page.next)
  }
}

/** Stores a part of the changes, and returns how many messages were fetched. */
async function keepPage(on: MailboxRun, folder: FolderRow, found: readonly GraphMessage[]): Promise<number> {
  const { archive, graph, userId, signal } = on
  const fetched: GraphMessage[] = []
  for (const message of await completed(on, found)) {
    if (message['@removed'] !== undefined) {
      archive.markDeleted(idOf(message.id), folder.id, on.now().toISOString())
      continue
    }
    const columns = columnsOf(message, folder)
    const known = archive.message(columns.id)
    if (isKept(known, columns)) keepAgain(on, known, columns)
    else fetched.push(message)
  }
  const withFiles = fetched.filter(({ hasAttachments }) => hasAttachments === true).map(({ id }) => id)
  const lists = await listAttachments(graph, userId, withFiles, signal)
  const attachments = new Map(withFiles.map((id, index) => [id, lists[index] ?? []]))
  return takeAll(on, fetched, (message) =>
    twice(() => keepMessage(on, columnsOf(message, folder), attachments.get(message.id) ?? [])),
  )
}

const isPartial = (message: GraphMessage): boolean =>
  message['@removed'] === undefined && message.subject === undefined

/** Returns each message once, the later one if it was told twice; those of which a part was told are read as a whole. */
async function completed(
  { graph, userId, signal }: MailboxRun,
  found: readonly GraphMessage[],
): Promise<readonly GraphMessage[]> {
  const told = [...new Map(found.map((each) => [each.id, each])).values()]
  const partial = told.filter(isPartial).map(({ id }) => id)
  const whole = await readMessages(graph, userId, partial, signal)
  const byId = new Map(whole.map((each) => [each.id, each]))
  return told.flatMap((each) => (isPartial(each) ? (byId.get(each.id) ?? []) : each))
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
