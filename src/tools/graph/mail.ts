import {
  type GraphAttachment,
  type GraphFolder,
  type GraphMessage,
  type GraphUser,
  parseAttachments,
  parseFolders,
  parseMessage,
  parseMessages,
  parseUsers,
} from './answers.ts'
import type { Graph } from './client.ts'
import { segment } from './path.ts'
import { foreignLink, GraphFailed } from './problems.ts'

const mostPages = 5000
const mostFolders = 10_000
const mostDepth = 50

interface AnyPage<Item> {
  readonly value: readonly Item[]
  readonly '@odata.nextLink'?: string
}

/** Reads a list to its end; a list without an end is refused. */
async function readAll<Item>(
  graph: Graph,
  path: string,
  parse: (answer: unknown) => AnyPage<Item>,
  signal: AbortSignal,
): Promise<readonly Item[]> {
  const items: Item[] = []
  const seen = new Set<string>()
  for (let target: string | undefined = path; target !== undefined;) {
    if (seen.has(target) || seen.size >= mostPages)
      throw GraphFailed('Microsoft Graph sends a list that has no end')
    seen.add(target)
    const page: AnyPage<Item> = parse(await graph.json(target, signal))
    items.push(...page.value)
    target = page['@odata.nextLink']
  }
  return items
}

/** Lists the users of the directory, with and without a mailbox. */
export const listUsers = (graph: Graph, signal: AbortSignal): Promise<readonly GraphUser[]> =>
  readAll(graph, '/users?$select=id,displayName,mail,userPrincipalName&$top=100', parseUsers, signal)

/** A folder of a mailbox, with the names of those that contain it. */
export interface MailFolder {
  readonly id: string
  readonly path: string
}

const listing = 'includeHiddenFolders=true&$top=100'

/** Lists the folders of a mailbox with those within them, but for searches, which contain no messages of their own. */
export async function listFolders(
  graph: Graph,
  userId: string,
  signal: AbortSignal,
): Promise<readonly MailFolder[]> {
  const found = new Map<string, MailFolder>()
  const below = `/users/${segment(userId)}/mailFolders`
  const walk = async (target: string, parent: string, depth: number): Promise<void> => {
    for (const folder of await readAll(graph, target, parseFolders, signal)) {
      if (isSearch(folder) || found.has(folder.id)) continue
      if (depth > mostDepth || found.size >= mostFolders)
        throw GraphFailed(
          `the mailbox has more than ${mostFolders} folders, or folders deeper than ${mostDepth}`,
        )
      const path = `${parent}${nameOf(folder)}`
      found.set(folder.id, { id: folder.id, path })
      if ((folder.childFolderCount ?? 0) > 0)
        await walk(`${below}/${segment(folder.id)}/childFolders?${listing}`, `${path}/`, depth + 1)
    }
  }
  await walk(`${below}?${listing}`, '', 1)
  return [...found.values()]
}

const isSearch = (folder: GraphFolder): boolean =>
  folder['@odata.type']?.endsWith('mailSearchFolder') === true

/** A slash in the name of a folder is not one between two folders. */
const nameOf = ({ displayName }: GraphFolder): string =>
  (displayName ?? '')
    .replaceAll('/', '∕')
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, 300) || '(no name)'

const fields = [
  ...['subject', 'from', 'toRecipients', 'receivedDateTime', 'lastModifiedDateTime', 'internetMessageId'],
  ...['hasAttachments', 'importance', 'isRead', 'isDraft', 'bodyPreview'],
]

/** What has changed in a folder: the next part of it, or what to ask for the next time. */
export interface MessagesPage {
  readonly messages: readonly GraphMessage[]
  readonly next: string | undefined
  readonly delta: string | undefined
}

const folderPath = (userId: string, folderId: string) =>
  `/users/${segment(userId)}/mailFolders/${segment(folderId)}`

/** Lists the messages of a folder by their ids and their Message-IDs alone. */
export const listMessages = (
  graph: Graph,
  { userId, folderId }: { readonly userId: string; readonly folderId: string },
  signal: AbortSignal,
): Promise<readonly GraphMessage[]> =>
  readAll(
    graph,
    `${folderPath(userId, folderId)}/messages?$select=id,internetMessageId&$top=500`,
    parseMessages,
    signal,
  )

/** Reads a part of the changes in a folder: from the beginning, or from where an earlier part leads. */
export async function readChanges(
  graph: Graph,
  { userId, folderId }: { readonly userId: string; readonly folderId: string },
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<MessagesPage> {
  const first = `${folderPath(userId, folderId)}/messages/delta?$select=${fields.join(',')}`
  const answer = await graph.json(cursor ?? first, signal, 'odata.maxpagesize=50')
  const page = parseMessages(answer)
  const [next, delta] = [page['@odata.nextLink'], page['@odata.deltaLink']]
  const link = next ?? delta
  if (link === undefined)
    throw GraphFailed('Microsoft Graph sent changes of a folder without saying where they go on')
  // before it is stored: a later round would fail again and again
  if (!graph.owns(link)) throw foreignLink(link)
  return { messages: page.value, next, delta }
}

const messagePath = (userId: string, messageId: string) =>
  `/users/${segment(userId)}/messages/${segment(messageId)}`

/** Reads a message as it was sent. */
export const readMime = (graph: Graph, userId: string, messageId: string, signal: AbortSignal) =>
  graph.bytes(`${messagePath(userId, messageId)}/$value`, signal)

/** Reads the content of an attachment. */
export const readAttachment = (
  graph: Graph,
  { userId, messageId }: { readonly userId: string; readonly messageId: string },
  attachmentId: string,
  signal: AbortSignal,
) => graph.bytes(`${messagePath(userId, messageId)}/attachments/${segment(attachmentId)}/$value`, signal)

const mostInBatch = 20

/** Reads paths in their order; undefined for one that is gone. */
async function readMany(
  graph: Graph,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly (object | undefined)[]> {
  const answers: (object | undefined)[] = []
  for (let from = 0; from < paths.length; from += mostInBatch)
    answers.push(...(await graph.batch(paths.slice(from, from + mostInBatch), signal)))
  return answers
}

/** Reads messages with all that the first round tells of them; those that are gone are left out. */
export async function readMessages(
  graph: Graph,
  userId: string,
  messageIds: readonly string[],
  signal: AbortSignal,
): Promise<readonly GraphMessage[]> {
  const paths = messageIds.map((id) => `${messagePath(userId, id)}?$select=${fields.join(',')}`)
  const answers = await readMany(graph, paths, signal)
  return answers.flatMap((answer) => (answer === undefined ? [] : [parseMessage(answer)]))
}

/** Lists the attachments of messages, in their order; none for a message that is gone. */
export async function listAttachments(
  graph: Graph,
  userId: string,
  messageIds: readonly string[],
  signal: AbortSignal,
): Promise<readonly (readonly GraphAttachment[])[]> {
  const paths = messageIds.map(
    (id) => `${messagePath(userId, id)}/attachments?$select=id,name,contentType,size`,
  )
  const lists: (readonly GraphAttachment[])[] = []
  for (const answer of await readMany(graph, paths, signal)) {
    if (answer === undefined) {
      lists.push([])
      continue
    }
    const { value, '@odata.nextLink': next } = parseAttachments(answer)
    const rest = next === undefined ? [] : await readAll(graph, next, parseAttachments, signal)
    lists.push([...value, ...rest])
  }
  return lists
}
