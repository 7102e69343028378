import { area } from '../../core/area.ts'
import type { Store } from '../../store/store.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'
import { type LogstoreQueries, logstoreQueries } from './store.ts'

/** The log store of this host, as the verbs of the area reach it. */
export interface Logstore {
  readonly store: Store
  readonly queries: LogstoreQueries
  readonly opensearch: Tools['opensearch']
  readonly rsyslog: Tools['rsyslog']
  readonly programSteps: Tools['programSteps']
  /** The address of the vendor's package repository and key. */
  readonly repository: string
}

/** Binds the area to the search backend and the log daemon. */
export function openLogstore({ store, tools, settings }: Deps): Logstore {
  const { opensearch, rsyslog, programSteps } = tools
  const repository = settings.configuration.running['opensearch_url'] ?? ''
  return { store, queries: logstoreQueries(store), opensearch, rsyslog, programSteps, repository }
}

export interface Context {
  readonly logstore: Logstore
}

export const { endpoint, work, job } = area.of<Context>()
