import { randomUUID } from 'node:crypto'
import { type Change, change, step } from '../../../core/change.ts'
import type { Deciding } from '../../../core/endpoint.ts'
import { lock } from '../../../core/lock.ts'
import { success } from '../../../core/reply.ts'
import { from } from '../../../core/returned.ts'
import { isMasked } from '../../../core/secret.ts'
import { currentBalancer } from '../change.ts'
import { checkPeer, isHost, messageUnless, peerAt } from '../../peer.ts'
import type { Dnslb } from '../context.ts'
import { PeerInvalid, PeerTaken, PeerUnreached } from '../problems.ts'
import type { Peer, PeerDraft } from './model.ts'
import { type PeerRow, peers } from './store.ts'

const peerLock = lock('dnslb_peer')

/** Lists the other panels that get the lists of this one, by name. */
export async function listPeers(on: Dnslb): Promise<{ servers: Peer[] }> {
  return { servers: (await on.peers.all()).map((row) => shownPeer(on, row)) }
}

/** Adds another panel, once it has answered to the key. */
export async function addPeer(
  on: Dnslb,
  draft: PeerDraft,
  { id, now, caller, signal }: Deciding,
): Promise<Change<Peer>> {
  const { name, host, port, api_key, public_key } = checked(draft)
  if ((await on.peers.named(name)) !== undefined) throw PeerTaken(`name: there is a server ${name}`)
  const same = await on.peers.at(host, port)
  if (same !== undefined) throw PeerTaken(`host: the server ${same.name} has this host and port`)
  const peer = peerAt({ host, port, public_key }, api_key, caller.user)
  const failure = await checkPeer(on.fetch, peer, signal).then(() => '', messageUnless(signal))
  if (failure !== '') throw PeerUnreached(`host: ${host}: ${failure}`)
  const row = peers.row({
    ...{ id: id(peers.name), name, host, port, public_key, sealed_key: on.store.seal(api_key) },
    ...{ status: 'active', push_id: '', last_check: now.toISOString() },
    created_at: now.toISOString(),
  })
  return change({
    summary: `Add the server ${name} to those that get the lists`,
    locks: [peerLock(name)],
    rows: [peers.insert(row)],
    reply: shownPeer(on, row),
  })
}

/** Removes another panel; the lists that it has stay there. */
export async function deletePeer({ peers: stored }: Dnslb, id: number): Promise<Change<{ success: true }>> {
  const { name } = await stored.load(id)
  return change({
    summary: `Remove the server ${name} from those that get the lists`,
    locks: [peerLock(name)],
    rows: [peers.delete({ id })],
    reply: success,
  })
}

/** Asks another panel whether it can be reached with its key, and records the outcome. */
export async function testPeer(
  { peers: stored, store, fetch }: Dnslb,
  id: number,
  { caller, now, signal }: Pick<Deciding, 'caller' | 'now' | 'signal'>,
) {
  const row = await stored.load(id)
  const peer = peerAt(row, store.unseal(row.sealed_key), caller.user)
  const message = await checkPeer(fetch, peer, signal).then(() => '', messageUnless(signal))
  const status = message === '' ? ('active' as const) : ('error' as const)
  await stored.record(id, { status, last_check: now.toISOString() })
  return { status, message }
}

/** Replaces the lists of one other panel by those of this one. */
export async function pushToPeer(on: Dnslb, id: number, { caller }: Pick<Deciding, 'caller'>) {
  const row = await on.peers.load(id)
  const [pushing] = await pushesTo(on, [row], caller.user.isAdmin)
  return change({
    summary: `Replace the lists of the server ${row.name}`,
    locks: [peerLock(row.name)],
    steps: [pushing!.step],
    reply: { success: from(pushing!.step, 'success'), message: from(pushing!.step, 'message') },
  })
}

/** Replaces the lists of all other panels; one that refuses them does not keep the others from getting theirs. */
export async function pushToAll(on: Dnslb, { caller }: Pick<Deciding, 'caller'>) {
  const rows = await on.peers.all()
  const pushes = await pushesTo(on, rows, caller.user.isAdmin)
  return change({
    summary: 'Replace the lists of all other servers',
    locks: rows.map(({ name }) => peerLock(name)),
    steps: pushes.map((each) => each.step),
    reply: {
      results: pushes.map(({ row, step: pushing }) => ({
        ...{ server_id: row.id, name: row.name, success: from(pushing, 'success') },
        message: from(pushing, 'message'),
      })),
    },
  })
}

async function pushesTo(on: Dnslb, rows: readonly PeerRow[], isAdmin: boolean) {
  const { addressLists, domainLists } = await currentBalancer(on)
  const lists = [...addressLists, ...domainLists].map(({ name }) => name)
  return rows.map((row) => ({
    row,
    step: step(on.pushStep, { peerId: row.id, peer: row.name, pushId: randomUUID(), isAdmin, lists }),
  }))
}

function checked(draft: PeerDraft): PeerDraft {
  const name = draft.name.trim()
  if (name === '') throw PeerInvalid('name: must not be empty')
  const host = draft.host.trim().toLowerCase()
  if (!isHost(host)) throw PeerInvalid('host: must be a host name such as ns2.example.com, or an IP address')
  if (isMasked(draft.api_key) || !/^[\x21-\x7e]+$/.test(draft.api_key))
    throw PeerInvalid('api_key: must be a key that was created on the other panel')
  return { ...draft, name, host }
}

const shownPeer = (
  { store }: Dnslb,
  { id, name, host, port, sealed_key, status, last_check, last_sync, created_at }: PeerRow,
): Peer => ({
  ...{ id, name, host, port, api_key: store.unseal(sealed_key) },
  ...{ status, last_check, last_sync, created_at },
})
