import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

const Whole = Type.Integer()
const Text = Type.String()
const MaybeText = Type.Union([Text, Type.Null()])

const Folder = Type.Object({ id: Text, path: Text, cursor: MaybeText, round: Whole, is_full: Whole })
const Message = Type.Object({
  id: Text,
  graph_id: Text,
  folder_id: Text,
  folder: Text,
  subject: Text,
  from_email: Text,
  from_name: Text,
  to_emails: Text,
  date: Text,
  has_attachments: Whole,
  importance: Text,
  is_read: Whole,
  status: Type.Union([Type.Literal('present'), Type.Literal('deleted')]),
  deleted_at: MaybeText,
  fingerprint: Text,
  mime_hash: Text,
  mime_key: Text,
  mime_bytes: Whole,
  round: Whole,
})
const Attachment = Type.Object({
  id: Text,
  message_id: Text,
  position: Whole,
  filename: Text,
  size: Whole,
  content_type: Text,
  hash: Text,
  s3_key: Text,
})

const LeftOut = Type.Object({ id: Text, graph_id: Text, folder_id: Text, reason: Text })

export type FolderRow = Static<typeof Folder>
export type MessageRow = Static<typeof Message>
export type AttachmentRow = Static<typeof Attachment>
export type LeftOutRow = Static<typeof LeftOut>

const listOf = <Item extends TSchema>(item: Item) => {
  const compiled = Compile(Type.Array(item))
  return (rows: unknown): Static<Item>[] => {
    if (compiled.Check(rows)) return rows
    throw new Error('the database of a mailbox has other columns')
  }
}

export const folderRows = listOf(Folder)
export const messageRows = listOf(Message)
export const attachmentRows = listOf(Attachment)
export const leftOutRows = listOf(LeftOut)
export const contentRows = listOf(Type.Object({ hash: Text, key: Text }))
export const idRows = listOf(Type.Object({ id: Text }))
export const checkRows = listOf(Type.Object({ quick_check: Text }))
export const countRows = listOf(Type.Object({ name: Text, count: Whole }))
export const numberRows = listOf(Type.Object({ value: Whole }))
