import type { SqlConnection } from '../../host/apply/steps.ts'
import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import type { Found } from '../../core/tool.ts'
import { type Opening, tool } from '../tool.ts'
import { openApi } from './api.ts'
import { awaitAnswer } from './await-answer.ts'
import { apiSettingsIn } from './api-settings.ts'
import { writeConfiguration } from './configuration.ts'
import { configurationPath, databaseName } from './layout.ts'
import { loadSchema } from './load-schema.ts'
import { setRecords } from './set-records.ts'
import { setZone } from './set-zone.ts'
import { readStatistics, readVersion } from './statistics.ts'
import { listZones, readNames, readZone, readZoneFacts } from './zones.ts'

export { parserOf, type PowerdnsApi, zonePath } from './api.ts'
export { accountName, configurationPath, databaseName, defaultApiPort, serverId } from './layout.ts'
export { BackendFailed, NotServing, RecordsRefused } from './problems.ts'
export type { DnsRecord, RecordSet, SetKey, Zone, ZoneFacts } from './zones.ts'
export { keyOf } from './zones.ts'

export interface PowerdnsOptions {
  /** The connection to MariaDB as root; a stand-in in tests. */
  readonly connection?: SqlConnection
  /** The socket of MariaDB. Default: that of Debian's package. */
  readonly socketPath?: string
}

interface SwitchArgs {
  readonly verb: 'start' | 'stop' | 'restart' | 'enable'
}

/** PowerDNS Authoritative Server with its zones in MariaDB, driven through its API. */
export const powerdns = tool({
  name: 'powerdns',
  title: 'PowerDNS',
  packages: ['pdns-server', 'pdns-backend-mysql'],
  service: 'pdns',
  open: (
    { host }: Opening,
    { connection, socketPath = '/run/mysqld/mysqld.sock' }: PowerdnsOptions = {},
  ) => ({
    connection: connection ?? host.connect.sql({ name: 'MariaDB', at: { socketPath }, user: 'root' }),
    socketPath,
    api: openApi(host),
  }),
  detect,
  steps: ({ host, service, connection, socketPath, api }) => ({
    loadSchema: loadSchema({ connection, socketPath, connect: host.connect, files: host.files }),
    writeConfiguration: writeConfiguration(host, api),
    switchProgram: serviceStep<SwitchArgs>(serviceOf(host.services, service), {
      name: 'powerdns.switch-program',
      title: 'PowerDNS',
      reloads: 'powerdns',
    }),
    awaitAnswer: awaitAnswer(api),
    setZone: setZone(api),
    setRecords: setRecords(api),
  }),
  verbs: ({ host, service, api }) => ({
    api,
    databaseName,
    /** Reads how the API is reached; undefined while PowerDNS is not set up. */
    readApiSettings: async () => apiSettingsIn(await host.files.read(configurationPath)),
    /** Returns whether its service runs. */
    isRunning: async () => (await host.services.status(service)).active,
    readStatistics: () => readStatistics(api),
    readVersion: () => readVersion(api),
    listZones: () => listZones(api),
    readZone: (name: string) => readZone(api, name),
    readZoneFacts: (name: string) => readZoneFacts(api, name),
    /** Reads all record sets at some names of a zone. */
    readNames: (zone: string, names: readonly string[]) => readNames(api, zone, names),
  }),
})

async function detect({ host }: Opening): Promise<Found> {
  const version = await host.packages.version('pdns-server')
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'PowerDNS is not installed' }
  const upstream = version.replace(/^\d+:/, '').replace(/-[^-]*$/, '')
  return { present: true, version: upstream, healthy: true, reason: null }
}
