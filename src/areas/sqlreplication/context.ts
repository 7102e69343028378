import { area } from '../../core/area.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Store } from '../../store/store.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'
import { openPeers, type Peers } from './peer.ts'
import { openPeerSteps, type PeerSteps } from './steps.ts'
import { type ReplicationQueries, replicationQueries } from './store.ts'

/** The replication of the SQL server, as the verbs of the area reach it. */
export interface SqlReplication {
  readonly store: Store
  readonly queries: ReplicationQueries
  readonly tool: Tools['mariadb']
  readonly peers: Peers
  readonly steps: PeerSteps
  readonly feed: Jobs['feed']
}

/** Binds the area to the server of this host and to other panels. */
export function openSqlReplication({ store, tools: { mariadb: tool }, host, jobs }: Deps): SqlReplication {
  const peers = openPeers(host.fetch)
  const queries = replicationQueries(store)
  return { store, queries, tool, peers, steps: openPeerSteps({ tool, peers }), feed: jobs.feed }
}

export interface Context {
  readonly sqlreplication: SqlReplication
}

export const { endpoint, work } = area.of<Context>()
