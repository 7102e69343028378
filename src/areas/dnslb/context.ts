import { area } from '../../core/area.ts'
import type { Fetch } from '../../host/fetch/index.ts'
import type { Store } from '../../store/store.ts'
import type { Dnsdist } from '../../tools/dnsdist/index.ts'
import type { Deps } from '../deps.ts'
import { openPushStep } from './peers/pusher.ts'
import { type PeerQueries, peerQueries } from './peers/store.ts'

/** The dnsdist of this host and the other panels, as the verbs of the area reach them. */
export interface Dnslb {
  readonly dnsdist: Dnsdist
  readonly store: Store
  readonly fetch: Fetch
  readonly peers: PeerQueries
  /** Replaces the lists of another panel. */
  readonly pushStep: ReturnType<typeof openPushStep>
}

/** Binds the area to the dnsdist of this host. */
export function openDnslb({ tools: { dnsdist }, store, host: { fetch } }: Deps): Dnslb {
  const peers = peerQueries(store)
  return { dnsdist, store, fetch, peers, pushStep: openPushStep({ store, peers, dnsdist, fetch }) }
}

export interface Context {
  readonly dnslb: Dnslb
}

export const { endpoint } = area.of<Context>()
