import Type from 'typebox'
import { Value } from 'typebox/value'
import type { Fetch } from '../../../host/fetch/index.ts'
import { askPeer, noPanel, type Peer } from '../../peer.ts'
import type { SyncedFiles } from '../model.ts'

const pushMs = 60_000
const Replaced = Type.Object({ success: Type.Literal(true) })

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
