import Type from 'typebox'
import { Value } from 'typebox/value'
import type { Fetch } from '../../../host/fetch/index.ts'
import { askPeer, PeerUnreachable } from '../../peer.ts'
import { type SyncedZone, SyncZoneApplied } from './model.ts'

/** A panel that takes zones, and its sync key. */
export interface SyncTarget {
  readonly url: string
  readonly key: string
}

const limitMs = 60_000
const Applied = Type.Object({ data: SyncZoneApplied })
const refusedKey = 'it refused the sync key: generate one there, and enter it here'

/** Sends a zone to another panel; fails with its message. The administrator named it, so it may be internal. */
export async function sendZone(
  fetch: Fetch,
  { url, key }: SyncTarget,
  zone: SyncedZone,
  signal: AbortSignal,
): Promise<void> {
  const peer = {
    url,
    headers: { 'x-panel-sync-key': key },
    publicKey: '',
    asker: { isAdmin: true },
    refusedKey,
  }
  const answer = await askPeer(fetch, peer, { path: '/api/authdns/sync-zone', body: zone, limitMs, signal })
  if (!Value.Check(Applied, answer))
    throw new PeerUnreachable('it answered as no panel does: check the address')
}
