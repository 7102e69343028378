import Type from 'typebox'
import { Value } from 'typebox/value'
import type { Asker, Fetch } from '../../../host/fetch/index.ts'
import { askPeer, type Peer } from '../../peer.ts'
import type { SyncedFiles } from '../model.ts'
import type { PeerRow } from './store.ts'

const checkMs = 10_000
const pushMs = 60_000
const Version = Type.Object({ data: Type.Object({ version: Type.String({ minLength: 1 }) }) })
const Replaced = Type.Object({ success: Type.Literal(true) })
const noPanel = 'it answered as no panel does: check host and port'

type Place = Pick<PeerRow, 'host' | 'port' | 'public_key'>

/** The panel at a place, as it is asked with a key; internal addresses are for those who may reach them. */
export function peerAt({ host, port, public_key: publicKey }: Place, key: string, { isAdmin }: Asker): Peer {
  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    headers: { authorization: `Bearer ${key}` },
    publicKey,
    asker: { isAdmin },
    refusedKey: 'it refused the API key: create one there, and enter it here',
  }
}

/** Asks another panel for its version, which only a valid key is told; fails with the reason. */
export async function checkPeer(fetch: Fetch, peer: Peer, signal: AbortSignal): Promise<void> {
  const answer = await askPeer(fetch, peer, { path: '/api/version', limitMs: checkMs, signal })
  if (!Value.Check(Version, answer)) throw new Error(noPanel)
}

/** Replaces the lists of another panel; fails with its message. */
export async function sendLists(
  fetch: Fetch,
  peer: Peer,
  body: SyncedFiles,
  signal: AbortSignal,
): Promise<void> {
  const answer = await askPeer(fetch, peer, { path: '/api/dnslb/sync-files', body, limitMs: pushMs, signal })
  if (!Value.Check(Replaced, answer)) throw new Error(noPanel)
}
