import type { Fetch } from '../../../host/fetch/index.ts'
import type { Store } from '../../../store/store.ts'
import type { Balancer, Dnsdist } from '../../../tools/dnsdist/index.ts'
import { messageUnless, peerAt } from '../../peer.ts'
import type { SyncedFiles } from '../model.ts'
import { pushStep } from './push-step.ts'
import { sendLists } from './reach.ts'
import type { PeerQueries } from './store.ts'

interface PushParts {
  readonly store: Store
  readonly peers: PeerQueries
  readonly dnsdist: Dnsdist
  readonly fetch: Fetch
}

/** Opens the step that pushes the lists to another panel. */
export function openPushStep({ store, peers, dnsdist, fetch }: PushParts) {
  return pushStep({
    push: async ({ peerId, pushId, isAdmin }, signal) => {
      const row = await peers.load(peerId)
      const lists = listsOf(await dnsdist.readBalancer())
      const peer = peerAt(row, store.unseal(row.sealed_key), { isAdmin })
      const message = await sendLists(fetch, peer, lists, signal).then(() => '', messageUnless(signal))
      const last_sync = message === '' ? new Date().toISOString() : row.last_sync
      const status = message === '' ? 'active' : 'error'
      await peers.record(peerId, { status, last_sync, push_id: pushId })
      return { success: message === '', message }
    },
    wasPushed: async ({ peerId, pushId }) =>
      (await peers.all()).some(({ id, push_id }) => id === peerId && push_id === pushId),
  })
}

/** The lists as `sync-files` takes them. */
const listsOf = ({ addressLists, domainLists }: Balancer): SyncedFiles => ({
  address_lists: addressLists.map(({ rateLimit, addresses, ...list }) => ({
    ...list,
    addresses: [...addresses],
    rate_limit: rateLimit,
  })),
  domain_lists: domainLists.map((list) => ({ ...list })),
})
