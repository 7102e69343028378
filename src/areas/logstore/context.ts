import { resolve } from 'node:path'
import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Store } from '../../store/store.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { CertificateFiles } from '../../tools/rsyslog/index.ts'
import type { Deps } from '../deps.ts'
import { type LogstoreQueries, logstoreQueries } from './store.ts'

/** The log store of this host, as the verbs of the area reach it. */
export interface Logstore {
  readonly store: Store
  readonly queries: LogstoreQueries
  readonly opensearch: Tools['opensearch']
  readonly rsyslog: Tools['rsyslog']
  /** The nodes of an existing cluster; none for the node of this host. */
  readonly nodes: readonly string[]
  readonly programSteps: Tools['programSteps']
  /** The address of the vendor's package repository and key. */
  readonly repository: string
  readonly files: Host['files']
  /** The folder of exported lines, which only root can read. */
  readonly exportFolder: string
  /** The panel's own certificate, which sources over TLS show. */
  readonly certificate: CertificateFiles
}

/** Binds the area to the search backend and the log daemon. */
export function openLogstore({ store, host, tools, settings }: Deps): Logstore {
  const { opensearch, rsyslog, programSteps } = tools
  const { opensearch_url: repository = '', logstore_url = '' } = settings.configuration.running
  const nodes = logstore_url
    .split(',')
    .map((each) => each.trim().replace(/\/$/, ''))
    .filter((each) => each !== '')
  opensearch.useCluster(nodes)
  const dataDir = resolve(settings.dataDir ?? '/')
  const below = dataDir === '/' ? '' : dataDir
  return {
    ...{ store, queries: logstoreQueries(store), opensearch, rsyslog, programSteps, repository },
    nodes,
    files: host.files,
    exportFolder: `${below}/log-exports`,
    certificate: { cert: `${below}/tls/panel.crt`, key: `${below}/tls/panel.key` },
  }
}

export interface Context {
  readonly logstore: Logstore
}

export const { endpoint, work, job } = area.of<Context>()
