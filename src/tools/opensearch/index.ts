import { installStep, serviceOf, serviceStep } from '../../host/apply/steps.ts'
import type { Found } from '../../core/tool.ts'
import { type Opening, tool } from '../tool.ts'
import { openApi, type OpensearchApi } from './api.ts'
import { awaitAnswer } from './await-answer.ts'
import type { Cluster } from './cluster.ts'
import { writeConfiguration } from './configuration.ts'
import { setRepository } from './repository.ts'
import { countPreserved, type DayIndex, deleteDay, flagPreserved, listDays, readDisk } from './retention.ts'
import { groupLines, isReadable, type LinePlace, type LogQuery, pageOfLines, searchLines } from './search.ts'
import { putTemplate, templateNames } from './templates.ts'

export { heapOf } from './configuration.ts'
export {
  BackendFailed,
  NotServing,
  QueryRefused,
  ReplyUnreadable,
  RepositoryUnreachable,
} from './problems.ts'
export type { DayIndex } from './retention.ts'
export type { LinePlace, LogLine, LogQuery } from './search.ts'
export { clusterTemplate } from './templates.ts'

export interface OpensearchOptions {
  /** The port of the API; of a stand-in in tests. */
  readonly port?: number
}

interface SwitchArgs {
  readonly verb: 'start' | 'stop' | 'restart' | 'enable'
}

/** OpenSearch as a single node on loopback, which stores log lines. */
export const opensearch = tool({
  name: 'opensearch',
  title: 'OpenSearch',
  packages: ['opensearch'],
  service: 'opensearch',
  open: ({ host }: Opening, options: OpensearchOptions = {}) => {
    const cluster: Cluster = { nodes: [] }
    return { cluster, api: openApi(host, { ...options, cluster }) }
  },
  detect,
  steps: ({ host, service, api, cluster }) => ({
    setRepository: setRepository(host),
    installPackage: installPackage(host),
    writeConfiguration: writeConfiguration(host),
    switchProgram: serviceStep<SwitchArgs>(serviceOf(host.services, service), {
      name: 'opensearch.switch-program',
      title: 'OpenSearch',
      reloads: 'opensearch',
    }),
    awaitAnswer: awaitAnswer(api, cluster),
    putTemplate: putTemplate(api.connection),
  }),
  verbs: ({ host, service, api, cluster }) => ({
    templateNames,
    /** Uses an existing cluster from now on, and the node of this host if there are no addresses. Tools are opened before settings are read. */
    useCluster: (nodes: readonly string[]) => {
      cluster.nodes = nodes
    },
    isCluster: () => cluster.nodes.length > 0,
    /** Returns whether its service runs, or the cluster answers. */
    isRunning: async () =>
      cluster.nodes.length > 0 ? isAnswering(api) : (await host.services.status(service)).active,
    /** Asks whether it answers; throws the reason why it does not. */
    ping: () => api.ask({ method: 'GET', path: '/_cluster/health' }),
    search: (query: LogQuery, page: { readonly from: number; readonly size: number }) =>
      searchLines(api, query, page),
    /** One page of any number of lines, the oldest first. */
    pageOf: (query: LogQuery, page: { readonly after: LinePlace | undefined; readonly size: number }) =>
      pageOfLines(api, query, page),
    /** Whether a query can be read; as long as there are no lines, any can. */
    isReadable: (query: LogQuery) => isReadable(api, query),
    group: (query: LogQuery) => groupLines(api, query),
    listDays: () => listDays(api),
    readDisk: () => readDisk(api),
    countPreserved: () => countPreserved(api),
    flagPreserved: (queries: readonly LogQuery[]) => flagPreserved(api, queries),
    deleteDay: (day: DayIndex, preserving: readonly LogQuery[]) => deleteDay(api, day, preserving),
  }),
})

const isAnswering = (api: OpensearchApi): Promise<boolean> =>
  api.ask({ method: 'GET', path: '/_cluster/health' }).then(
    (body) => body !== undefined,
    () => false,
  )

/** The vendor's package sets up its security plugin, and refuses to be installed without a password for it, unless told not to. */
function installPackage({ packages, files }: Opening['host']) {
  const env = { DISABLE_INSTALL_DEMO_CONFIG: 'true' }
  const told: typeof packages = {
    ...packages,
    install: (names, options) => packages.install(names, { ...options, env }),
  }
  return installStep({ packages: told, files }, { name: 'opensearch.install', title: 'OpenSearch' })
}

async function detect({ host }: Opening): Promise<Found> {
  const version = await host.packages.version('opensearch')
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'OpenSearch is not installed' }
  return { present: true, version, healthy: true, reason: null }
}
