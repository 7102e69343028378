import { createFolder, type Graph, listFolders, listMessages } from '../../../tools/graph/index.ts'

/** A folder that messages are restored into. */
export interface Target {
  readonly id: string
  /** How many messages with each Message-ID were in it before, less those that were found again. */
  readonly left: Map<string, number>
}

/** The folders of a mailbox that messages are restored into; they are made where they do not exist. */
export interface Destination {
  /** Opens the folder for what was in a folder of the backup. */
  folderFor(path: string, signal: AbortSignal): Promise<Target>
}

interface Into {
  readonly userId: string
  /** The folder at the top that contains all others. */
  readonly top: string
}

/** Opens a mailbox to restore messages into it. */
export async function openDestination(
  graph: Graph,
  { userId, top }: Into,
  signal: AbortSignal,
): Promise<Destination> {
  // the service compares names of folders without regard to case
  const ids = new Map<string, string>()
  for (const { id, path } of await listFolders(graph, userId, signal)) ids.set(path.toLowerCase(), id)
  const targets = new Map<string, Target>()

  const make = async (path: string): Promise<string> => {
    const known = ids.get(path.toLowerCase())
    if (known !== undefined) return known
    const at = path.lastIndexOf('/')
    const parentId = at < 0 ? undefined : await make(path.slice(0, at))
    const id = await createFolder(graph, { userId, parentId, name: nameOf(path.slice(at + 1)) }, signal)
    ids.set(path.toLowerCase(), id)
    return id
  }
  return {
    folderFor: async (folder, signal) => {
      const path = `${top.replaceAll('/', '∕')}/${folder}`
      const known = targets.get(path.toLowerCase())
      if (known !== undefined) return known
      const isNew = !ids.has(path.toLowerCase())
      const id = await make(path)
      const left = new Map<string, number>()
      const found = isNew ? [] : await listMessages(graph, { userId, folderId: id }, signal)
      for (const { internetMessageId } of found)
        if (internetMessageId) left.set(internetMessageId, (left.get(internetMessageId) ?? 0) + 1)
      const target = { id, left }
      targets.set(path.toLowerCase(), target)
      return target
    },
  }
}

/** In a backup, a slash in the name of a folder is another character. */
const nameOf = (part: string): string => part.replaceAll('∕', '/')

/** True if a message is in the folder already; it is then no longer left, as there may be copies of it. */
export function isThere({ left }: Target, messageId: string | undefined): boolean {
  const count = messageId === undefined ? 0 : (left.get(messageId) ?? 0)
  if (messageId === undefined || count === 0) return false
  left.set(messageId, count - 1)
  return true
}
