import { area } from '../../core/area.ts'
import type { Outbox } from '../../core/mirrored.ts'
import type { Fetch } from '../../host/fetch/index.ts'
import type { Store } from '../../store/store.ts'
import type { Deps } from '../deps.ts'
import { type Courier, openCourier } from './courier.ts'
import { type NaturalKey, naturalKeys } from './natural-keys.ts'
import { outboxRows } from './outbox.ts'
import { openRetryStep } from './retry-step.ts'
import { type ReplicationQueries, replicationQueries } from './store.ts'

/** The other servers, as the verbs of the area reach them. */
export interface Replication {
  readonly store: Store
  readonly fetch: Fetch
  readonly queries: ReplicationQueries
  readonly keys: () => readonly NaturalKey[]
  /** What a request puts into the outbox. */
  readonly outbox: Outbox
  readonly courier: Courier
  /** Sends a request again. */
  readonly retryStep: ReturnType<typeof openRetryStep>
}

/** Binds the area to the store and the network. */
export function openReplication({ store, host: { fetch }, log, partsOf }: Deps): Replication {
  const queries = replicationQueries(store)
  const keys = () => partsOf(naturalKeys)
  const courier = openCourier({ store, queries, fetch, log })
  return {
    ...{ store, fetch, queries, keys, courier },
    outbox: (mirrored) => outboxRows({ store, queries, keys }, mirrored),
    retryStep: openRetryStep({ queries, courier }),
  }
}

export interface Context {
  readonly replication: Replication
}

export const { endpoint, job } = area.of<Context>()
