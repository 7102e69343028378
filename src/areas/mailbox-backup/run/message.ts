import { createHash } from 'node:crypto'
import {
  type Graph,
  type GraphAttachment,
  type GraphMessage,
  GraphRefusal,
  readAttachment,
  readMime,
} from '../../../tools/graph/index.ts'
import type { Archive } from '../archive/archive.ts'
import type { Contents, KeptContent } from '../archive/contents.ts'
import { shortened } from '../archive/names.ts'
import { idOf } from '../archive/place.ts'
import type { AttachmentRow, MessageRow } from '../archive/rows.ts'

/** What one mailbox is backed up with. */
export interface MailboxRun {
  readonly graph: Graph
  readonly userId: string
  readonly archive: Archive
  readonly contents: Contents
  readonly isRemote: boolean
  readonly signal: AbortSignal
  readonly now: () => Date
}

/** A folder in the round that is under way. */
export interface FolderRound {
  readonly id: string
  readonly path: string
  readonly round: number
}

/** What is stored of a message besides its content. */
export type Columns = Omit<MessageRow, 'mime_hash' | 'mime_key' | 'mime_bytes'>

/** Returns what is stored of a message besides its content. */
export function columnsOf(message: GraphMessage, folder: FolderRound): Columns {
  const { name, address } = message.from?.emailAddress ?? {}
  const to = (message.toRecipients ?? []).flatMap(({ emailAddress }) => emailAddress?.address ?? [])
  return {
    id: idOf(message.id),
    graph_id: message.id,
    folder_id: folder.id,
    folder: folder.path,
    subject: line(message.subject, 2000),
    from_email: line(address, 500),
    from_name: line(name, 500),
    to_emails: line(to.join(', '), 20_000),
    date: timeOf(message.receivedDateTime),
    has_attachments: Number(message.hasAttachments === true),
    importance: line(message.importance, 20) || 'normal',
    is_read: Number(message.isRead === true),
    status: 'present',
    deleted_at: null,
    fingerprint: fingerprintOf(message),
    round: folder.round,
  }
}

/** Names and subjects come from strangers: line breaks and marks that turn the direction of text are left out. */
const line = (text: string | null | undefined, most: number): string =>
  (text ?? '')
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .slice(0, most)
    .toWellFormed()

const timeOf = (text: string | null | undefined): string => {
  const time = new Date(text ?? 0)
  return Number.isNaN(time.getTime()) ? new Date(0).toISOString() : time.toISOString()
}

/** Changes with the content. Being read is no content; a draft changes as a whole. */
function fingerprintOf(message: GraphMessage): string {
  const { subject, from, toRecipients, hasAttachments, bodyPreview, internetMessageId } = message
  const draft = message.isDraft === true ? message.lastModifiedDateTime : ''
  const parts = [subject, from, toRecipients, hasAttachments, bodyPreview, internetMessageId, draft]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** True if the content of a message is stored as it is now. */
export const isKept = (known: MessageRow | undefined, columns: Columns): known is MessageRow =>
  known !== undefined && known.fingerprint === columns.fingerprint

/** Stores what has changed about a message whose content is stored. */
export function keepAgain(
  { archive }: Pick<MailboxRun, 'archive'>,
  known: MessageRow,
  columns: Columns,
): void {
  const { mime_hash, mime_key, mime_bytes } = known
  archive.keepMessage({ ...columns, mime_hash, mime_key, mime_bytes })
}

/** Fetches and stores a message with its attachments; false if it is gone meanwhile. */
export async function keepMessage(
  on: MailboxRun,
  columns: Columns,
  attachments: readonly GraphAttachment[],
): Promise<boolean> {
  const { graph, userId, contents, signal } = on
  const source = await readMime(graph, userId, columns.graph_id, signal).catch(ifGone)
  if (source === undefined) return false
  const isRemote = on.isRemote && attachments.length > 0
  const mime = await contents.keep(source, isRemote, signal)
  const rows: AttachmentRow[] = []
  for (const [position, attachment] of attachments.entries())
    rows.push(await keepAttachment(on, columns, { attachment, position }))
  on.archive.keepMessage(
    { ...columns, mime_hash: mime.hash, mime_key: mime.key, mime_bytes: mime.sizeBytes },
    rows,
  )
  on.archive.forgetLeftOut(columns.id)
  return true
}

function ifGone(error: unknown): undefined {
  if (!(error instanceof GraphRefusal && (error.status === 404 || error.status === 410))) throw error
}

interface Attached {
  readonly attachment: GraphAttachment
  readonly position: number
}

async function keepAttachment(
  on: MailboxRun,
  { id: messageId, graph_id }: Pick<Columns, 'id' | 'graph_id'>,
  { attachment, position }: Attached,
): Promise<AttachmentRow> {
  const kind = attachment['@odata.type'] ?? ''
  const kept = kind.endsWith('referenceAttachment') ? notKept : await contentOf(on, graph_id, attachment)
  return {
    id: idOf(graph_id, attachment.id),
    message_id: messageId,
    position,
    filename: shortened(line(attachment.name, 2000).trim(), 300) || `attachment-${position + 1}`,
    size: kept.sizeBytes,
    content_type: kind.endsWith('itemAttachment') ? 'message/rfc822' : mediaTypeOf(attachment.contentType),
    hash: kept.hash,
    s3_key: kept.key,
  }
}

async function contentOf(
  { graph, userId, contents, isRemote, signal }: MailboxRun,
  messageId: string,
  { id }: GraphAttachment,
): Promise<KeptContent> {
  const source = await readAttachment(graph, { userId, messageId }, id, signal).catch(ifWithoutContent)
  return source === undefined ? notKept : contents.keep(source, isRemote, signal)
}

const notKept: KeptContent = { hash: '', key: '', sizeBytes: 0 }
/** What an attachment is answered with whose content is in the message alone. */
const withoutContent: ReadonlySet<number> = new Set([400, 404, 405, 410, 501])

function ifWithoutContent(error: unknown): undefined {
  if (!(error instanceof GraphRefusal && withoutContent.has(error.status))) throw error
}

const mediaTypeOf = (type: string | null | undefined): string =>
  /^[\w.+-]{1,90}\/[\w.+-]{1,90}$/.test(type ?? '') ? (type ?? '').toLowerCase() : 'application/octet-stream'
