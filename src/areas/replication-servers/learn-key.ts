import type { Asker, Fetch } from '../../host/fetch/index.ts'
import { peerAt } from '../peer.ts'
import type { ReplicationQueries, ServerRow } from './store.ts'

interface Parts {
  readonly queries: ReplicationQueries
  readonly fetch: Fetch
}

/**
 * Keeps the public key that a server shows, and returns the server with it: from then on it must have this key, or a
 * certificate that this host trusts (decision 3.15). Nothing is sent to it.
 */
export async function learnKey(
  { queries, fetch }: Parts,
  server: ServerRow,
  asker: Asker,
  signal: AbortSignal,
): Promise<ServerRow> {
  const { pin } = await fetch.readKey(peerAt(server, '', asker).url, asker, signal)
  if (!(await queries.keepKey(server, pin))) throw new Error('it was changed meanwhile: try again')
  return { ...server, public_key: pin }
}
