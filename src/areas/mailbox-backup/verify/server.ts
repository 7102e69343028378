import { type Graph, GraphRefusal, listFolders, listMessages, readMime } from '../../../tools/graph/index.ts'
import type { Archive } from '../archive/archive.ts'
import { idOf } from '../archive/place.ts'
import { hasNoMailbox } from '../directory.ts'
import { hashOf } from './contents.ts'

/** How a backup differs from the mailbox. */
export interface ServerFindings {
  /** Null for a mailbox that the directory no longer has. */
  readonly server_messages: number | null
  /** On the server, and not in the backup. */
  readonly missing_messages: number
  /** In the backup as present, and no longer on the server. */
  readonly gone_messages: number
  /** Messages whose bytes were read from the server. */
  readonly compared: number
  readonly differing: number
}

interface Comparing {
  readonly graph: Graph
  /** Undefined for one that the directory no longer has. */
  readonly userId: string | undefined
  /** How many messages are read from the server, evenly over the time of the backup. */
  readonly sample: number
  readonly signal: AbortSignal
}

const withoutMailbox: ServerFindings = {
  ...{ server_messages: null, missing_messages: 0, gone_messages: 0, compared: 0, differing: 0 },
}

/** Compares the ids of all messages with those on the server, and the bytes of some. */
export async function compareWithServer(
  archive: Archive,
  { graph, userId, sample, signal }: Comparing,
): Promise<ServerFindings> {
  if (userId === undefined) return withoutMailbox
  const present = archive.messageIds({ folder: undefined, status: 'present' })
  const left = new Set(present)
  let [onServer, missing] = [0, 0]
  const folders = await listFolders(graph, userId, signal).catch((error: unknown) => {
    if (hasNoMailbox(error)) return undefined
    throw error
  })
  if (folders === undefined) return withoutMailbox
  for (const { id: folderId } of folders)
    for (const { id } of await listMessages(graph, { userId, folderId }, signal)) {
      onServer += 1
      if (!left.delete(idOf(id))) missing += 1
    }
  const compared = await compareBytes(archive, spread(present, sample), { graph, userId, signal })
  return {
    ...{ server_messages: onServer, missing_messages: missing, gone_messages: left.size },
    ...compared,
  }
}

/** Returns some values of a list, at equal distances. */
function spread(all: readonly string[], count: number): readonly string[] {
  const most = Math.min(count, all.length)
  return Array.from({ length: most }, (_, index) => all[Math.floor((index * all.length) / most)] ?? '')
}

interface Reader {
  readonly graph: Graph
  readonly userId: string
  readonly signal: AbortSignal
}

async function compareBytes(
  archive: Archive,
  ids: readonly string[],
  { graph, userId, signal }: Reader,
): Promise<Pick<ServerFindings, 'compared' | 'differing'>> {
  let [compared, differing] = [0, 0]
  for (const id of ids) {
    signal.throwIfAborted()
    const row = archive.message(id)
    const mime = row && (await readMime(graph, userId, row.graph_id, signal).catch(ifGone))
    if (row === undefined || mime === undefined) continue
    compared += 1
    if ((await hashOf(mime)) !== row.mime_hash) differing += 1
  }
  return { compared, differing }
}

function ifGone(error: unknown): undefined {
  if (!(error instanceof GraphRefusal && error.status === 404)) throw error
}
