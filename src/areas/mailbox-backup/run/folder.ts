import {
  GraphFailed,
  type GraphMessage,
  GraphRefusal,
  type MailFolder,
  readChanges,
  readMessages,
} from '../../../tools/graph/index.ts'
import { idOf } from '../archive/place.ts'
import type { FolderRow } from '../archive/rows.ts'
import { fetchAll, fetchLeftOut, type OnMessages } from './fetch.ts'
import { columnsOf, isKept, keepAgain, type MailboxRun } from './message.ts'

const mostPages = 200_000
/** Parts without anything that an earlier one of the round did not have. */
const mostRepeats = 1000
const mostRestarts = 3

/** Brings the backup of a folder up to date, from where the last round, or an interrupted one, has ended. */
export async function backUpFolder(
  on: MailboxRun,
  folder: MailFolder,
  onMessages: OnMessages,
): Promise<void> {
  const { archive, graph, signal } = on
  archive.nameFolder(folder.id, folder.path)
  const { cursor = null } = archive.folder(folder.id) ?? {}
  await fetchLeftOut(on, folder, onMessages)
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
  const [links, contents] = [new Set<string>(), new Set<string>()]
  let cursor = row.cursor ?? undefined
  let repeats = 0
  for (;;) {
    signal.throwIfAborted()
    const page = await readChanges(graph, { userId, folderId: folder.id }, cursor, signal)
    const added = await keepPage(on, { ...row, path: folder.path }, page.messages)
    if (added > 0) await onMessages(added)
    if (page.next === undefined) {
      archive.endRound(row, page.delta ?? '', on.now().toISOString())
      return
    }
    const content = idOf(...page.messages.map(({ id }) => id))
    repeats = contents.has(content) ? repeats + 1 : 0
    if (links.has(page.next) || links.size >= mostPages || repeats >= mostRepeats)
      throw GraphFailed(`Microsoft Graph sends changes of the folder ${folder.path} without an end`)
    contents.add(content)
    links.add(page.next)
    cursor = page.next
    archive.keepCursor(folder.id, page.next)
  }
}

/** Stores a part of the changes, and returns how many messages were fetched. */
async function keepPage(on: MailboxRun, folder: FolderRow, found: readonly GraphMessage[]): Promise<number> {
  const { archive } = on
  const fetched: GraphMessage[] = []
  for (const message of await completed(on, found)) {
    if (message['@removed'] !== undefined) {
      archive.markDeleted(idOf(message.id), folder.id, on.now().toISOString())
      archive.forgetLeftOutOf(idOf(message.id), folder.id)
      continue
    }
    const columns = columnsOf(message, folder)
    const known = archive.message(columns.id)
    if (isKept(known, columns)) keepAgain(on, known, columns)
    else fetched.push(message)
  }
  return fetchAll(on, folder, fetched)
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
