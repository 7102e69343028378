import type { Found } from '../../core/tool.ts'
import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import type { SqlTarget } from '../../host/connect/index.ts'
import { type Opening, tool } from '../tool.ts'
import { openAdmin, readPassword } from './admin.ts'
import { answers, awaitAnswer } from './await-answer.ts'
import type { GroupName } from './groups.ts'
import { readMemory, readRunning } from './layers.ts'
import { dataDirectory } from './layout.ts'
import { resetStatistics } from './reset-statistics.ts'
import { setRows } from './set-rows.ts'
import { readCounters, readDigests, readHits, readPingErrors, readPool } from './statistics.ts'
import { writeCredentials } from './write-credentials.ts'

export { type AdminRow, groupOf, keyOf } from './groups.ts'
export { adminInterfaces, remoteAccount } from './layout.ts'
export { NotApplied, NotServing } from './problems.ts'
export type { PoolRow } from './statistics.ts'

export interface ProxysqlOptions {
  /** Where the admin interface is reached. Default: its socket, or port 6032 of a ProxySQL that is not set up yet. */
  readonly at?: readonly SqlTarget['at'][]
}

interface SwitchArgs {
  readonly verb: 'start' | 'stop' | 'restart' | 'enable' | 'disable'
}

/** ProxySQL, driven through its admin interface: tables that are changed in memory, loaded into the running program and saved to disk. */
export const proxysql = tool({
  name: 'proxysql',
  title: 'ProxySQL',
  packages: ['proxysql'],
  service: 'proxysql',
  dataDirectories: [dataDirectory],
  open: ({ host }: Opening, { at }: ProxysqlOptions = {}) => ({ admin: openAdmin(host, at) }),
  detect,
  steps: ({ host, service, admin }) => ({
    switchProgram: serviceStep<SwitchArgs>(serviceOf(host.services, service), {
      name: 'proxysql.switch-program',
      title: 'ProxySQL',
      reloads: 'proxysql',
    }),
    awaitAnswer: awaitAnswer(admin),
    writeCredentials: writeCredentials(host),
    setRows: setRows(admin),
    resetStatistics: resetStatistics(admin),
  }),
  verbs: ({ host, service, admin }) => ({
    /** Reads the password of the local account; undefined while ProxySQL is not set up. */
    readPassword: () => readPassword(host.files),
    /** Returns whether its service runs. */
    isRunning: async () => (await host.services.status(service)).active,
    /** Returns whether the admin interface answers. */
    answers: () => answers(admin),
    /** Reads rows of the running ProxySQL by their keys. */
    readRunning: (group: GroupName) => readRunning(admin, group),
    /** Reads rows in memory by their keys. */
    readMemory: (group: GroupName) => readMemory(admin, group),
    readPool: () => readPool(admin),
    readCounters: () => readCounters(admin),
    readHits: () => readHits(admin),
    readDigests: () => readDigests(admin),
    readPingErrors: () => readPingErrors(admin),
  }),
})

async function detect({ host }: Opening): Promise<Found> {
  const version = await host.packages.version('proxysql')
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'ProxySQL is not installed' }
  const upstream = version.replace(/^\d+:/, '').replace(/-[^-]*$/, '')
  return { present: true, version: upstream, healthy: true, reason: null }
}
