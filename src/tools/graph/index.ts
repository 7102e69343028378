export type { GraphAttachment, GraphMessage, GraphUser } from './answers.ts'
export { type Graph, openGraph } from './client.ts'
export { createFolder, importMessage } from './import-mail.ts'
export {
  listAttachments,
  listFolders,
  listMessages,
  listUsers,
  type MailFolder,
  readAttachment,
  readChanges,
  readMessages,
  readMime,
} from './mail.ts'
export type { GraphSettings, Patience } from './parts.ts'
export { GraphFailed, GraphRefusal } from './problems.ts'
