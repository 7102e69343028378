import { parseFolder } from './answers.ts'
import type { Graph } from './client.ts'
import { segment } from './path.ts'

const foldersOf = (userId: string) => `/users/${segment(userId)}/mailFolders`

interface NewFolder {
  readonly userId: string
  /** Undefined for a folder at the top. */
  readonly parentId: string | undefined
  readonly name: string
}

/** Makes a folder in a mailbox, and returns its id. */
export async function createFolder(
  graph: Graph,
  { userId, parentId, name }: NewFolder,
  signal: AbortSignal,
): Promise<string> {
  const below = parentId === undefined ? '' : `/${segment(parentId)}/childFolders`
  const body = { text: JSON.stringify({ displayName: name }), contentType: 'application/json' }
  return parseFolder(await graph.create(`${foldersOf(userId)}${below}`, body, signal)).id
}

/**
 * Puts a message into a folder with its own headers, as if it had been delivered; nothing is sent to anybody. Only the
 * beta of the service does so: v1.0 makes a draft of the same bytes, and changes its headers.
 */
export async function importMessage(
  graph: Graph,
  { userId, folderId }: { readonly userId: string; readonly folderId: string },
  mime: Buffer,
  signal: AbortSignal,
): Promise<void> {
  const path = `${foldersOf(userId)}/${segment(folderId)}/importMime`
  await graph.create(path, { text: mime.toString('base64'), contentType: 'text/plain' }, signal, 'beta')
}
