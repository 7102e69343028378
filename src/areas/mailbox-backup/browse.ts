import type { Bytes } from '../../core/reply.ts'
import type { Archive } from './archive/archive.ts'
import { openContents } from './archive/contents.ts'
import { readArchive } from './archive/reading.ts'
import type { AttachmentRow, MessageRow } from './archive/rows.ts'
import type * as model from './model.ts'
import type { MailboxBackup } from './parts.ts'
import { AttachmentMissing, MessageMissing } from './problems.ts'
import { shortened } from './archive/names.ts'

const perPage = 50

/** Lists the messages of a mailbox, the newest first, 50 to a page. */
export const listMessages = (
  on: MailboxBackup,
  email: string,
  { folder, search = '', page }: model.MessagesQuery,
): Promise<model.MailMessages> =>
  readArchive(on, email, ({ archive }) => {
    const wanted = { folder, text: search, limit: perPage, offset: (page - 1) * perPage }
    return {
      email: email.toLowerCase(),
      folders: archive.folderCounts(),
      messages: archive.messages(wanted).map(shownMessage),
      total: archive.countMessages(wanted),
      page,
      per_page: perPage,
    }
  })

const shownMessage = (row: MessageRow): model.MailMessage => ({
  id: row.id,
  folder: row.folder,
  subject: row.subject,
  from_email: row.from_email,
  from_name: row.from_name,
  to_emails: row.to_emails,
  date: row.date,
  has_attachments: row.has_attachments === 1,
  importance: row.importance,
  is_read: row.is_read === 1,
  status: row.status,
})

/** Lists the attachments of a message. */
export const listAttachments = (
  on: MailboxBackup,
  email: string,
  messageId: string,
): Promise<model.MailAttachments> =>
  readArchive(on, email, ({ archive }) => {
    messageIn(archive, messageId)
    return { attachments: archive.attachments(messageId).map(shownAttachment) }
  })

const shownAttachment = (row: AttachmentRow): model.MailAttachment => ({
  id: row.id,
  filename: row.filename,
  size: row.size,
  content_type: row.content_type,
  s3_key: row.s3_key,
})

function messageIn(archive: Archive, id: string): MessageRow {
  const found = archive.message(id)
  if (found === undefined) throw MessageMissing(`msgId: there is no message ${id} in this mailbox`)
  return found
}

/** Opens an attachment to be sent. */
export const openAttachment = (
  on: MailboxBackup,
  { email, attachId }: { readonly email: string; readonly attachId: string },
  signal: AbortSignal,
): Promise<Bytes> =>
  readArchive(on, email, async ({ archive, place, settings }) => {
    const found = archive.attachment(attachId)
    if (found === undefined)
      throw AttachmentMissing(`attachId: there is no attachment ${attachId} in this mailbox`)
    if (found.hash === '')
      throw AttachmentMissing(
        `attachId: ${found.filename} has no content of its own: it is in the message, or a link to a file elsewhere`,
      )
    const content = { hash: found.hash, key: found.s3_key }
    const opened = await openContents(on, settings, place).open(content, signal)
    return { ...opened, mediaType: found.content_type, fileName: fileNameOf(found.filename, '') }
  })

/** Opens a message to be sent, with the bytes that the server had. */
export const openMessage = (
  on: MailboxBackup,
  { email, msgId }: { readonly email: string; readonly msgId: string },
  signal: AbortSignal,
): Promise<Bytes> =>
  readArchive(on, email, async ({ archive, place, settings }) => {
    const found = messageIn(archive, msgId)
    const content = { hash: found.mime_hash, key: found.mime_key }
    const opened = await openContents(on, settings, place).open(content, signal)
    const fileName = fileNameOf(found.subject || 'no subject', '.eml')
    return { ...opened, mediaType: 'message/rfc822', fileName }
  })

/** Makes a name without a folder, short enough for any file system. */
export const fileNameOf = (text: string, ending: string): string =>
  `${shortened(text.replaceAll(/[/\\:*?"<>|]/g, '_').replace(/^\.+/, '_'), 150)}${ending}`
