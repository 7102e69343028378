import { area } from '../../core/area.ts'
import type { Log } from '../../core/endpoint.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Store } from '../../store/store.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'
import { type LagHistory, openLagHistory } from './lag.ts'
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
  readonly lags: LagHistory
  readonly log: Log
}

/** Binds the area to the server of this host and to other panels. */
export function openSqlReplication({
  store,
  tools: { mariadb: tool },
  host,
  jobs,
  log,
}: Deps): SqlReplication {
  const peers = openPeers(host.fetch)
  const queries = replicationQueries(store)
  const steps = openPeerSteps({ tool, peers })
  return { store, queries, tool, peers, steps, feed: jobs.feed, lags: openLagHistory(), log }
}

export interface Context {
  readonly sqlreplication: SqlReplication
}

export const { endpoint, work } = area.of<Context>()
