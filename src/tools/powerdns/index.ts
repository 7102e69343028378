import type { SqlConnection } from '../../host/apply/steps.ts'
import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import type { Found } from '../../core/tool.ts'
import { type Opening, tool } from '../tool.ts'
import { openApi } from './api.ts'
import { askDns, type Question } from './ask.ts'
import { setAutoprimary } from './autoprimaries.ts'
import { awaitAnswer } from './await-answer.ts'
import { builtAt } from './geo-file.ts'
import { readKeys, readSigningKeys, setKeys } from './keys.ts'
import { apiSettingsIn, settingIn } from './api-settings.ts'
import { writeConfiguration } from './configuration.ts'
import { configurationPath, databaseName } from './layout.ts'
import { loadSchema } from './load-schema.ts'
import { readTransfers, setRoles } from './roles.ts'
import { setRecords } from './set-records.ts'
import { setZone } from './set-zone.ts'
import { renderSettings, type SettingsFile, settingsPath, writeSettings } from './settings-file.ts'
import { readStatistics, readVersion } from './statistics.ts'
import { listZones, readNames, readZone, readZoneFacts } from './zones.ts'

export { hexadecimalForm, isV6, writtenForm } from './addresses.ts'
export { parserOf, zonePath } from './api.ts'
export { contentKey } from './content-key.ts'
export { acceptable } from './record-states.ts'

export { newSigningKey, type ZoneKey } from './keys.ts'
export { accountName, databaseName, serverId } from './layout.ts'
export { type Check, renderLuaRecord, type Steering } from './lua.ts'
export { BackendFailed, NotServing, RecordsRefused } from './problems.ts'
export type { Transfer, ZoneRole } from './roles.ts'
export type { RecordSet, Zone, ZoneFacts } from './zones.ts'
export { keyOf } from './zones.ts'

export interface PowerdnsOptions {
  /** The connection to MariaDB as root; a stand-in in tests. */
  readonly connection?: SqlConnection
  /** The socket of MariaDB. Default: that of Debian's package. */
  readonly socketPath?: string
  /** The resolver that is asked for the DS of zones. Default: that of the host. */
  readonly resolver?: Question['server']
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
    { connection, socketPath = '/run/mysqld/mysqld.sock', resolver }: PowerdnsOptions = {},
  ) => ({
    connection: connection ?? host.connect.sql({ name: 'MariaDB', at: { socketPath }, user: 'root' }),
    socketPath,
    api: openApi(host),
    resolver,
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
    setKeys: setKeys(api),
    setRoles: setRoles(api),
    setAutoprimary: setAutoprimary(api),
    writeSettings: writeSettings(host, api),
  }),
  verbs: ({ host, service, api, resolver }) => ({
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
    readKeys: (zone: string) => readKeys(api, zone),
    /** Reads the keys of a zone with their private parts, which a step needs that keeps them. */
    readSigningKeys: (zone: string) => readSigningKeys(api, zone),
    readTransfers: () => readTransfers(api),
    /** True if a file of settings has these already. */
    hasSettings: async (file: SettingsFile, settings: Parameters<typeof renderSettings>[0]) =>
      (await host.files.read(settingsPath(file))) === renderSettings(settings),
    /** Asks the running server; fails where it does not answer. */
    ask: async (question: Omit<Question, 'server'>) => {
      const port = Number(settingIn(await host.files.read(configurationPath), 'local-port') ?? 53)
      return askDns({ ...question, server: { address: '127.0.0.1', port } })
    },
    /** Asks the resolver of this host. */
    askResolver: async (question: Omit<Question, 'server'>) =>
      askDns({ ...question, server: resolver ?? (await resolverOf(host.files)) }),
    /** Returns when an MMDB file was built; undefined if it is none or cannot be read. */
    geoFileBuiltAt: async (path: string) => {
      const content = await host.files.readBytes(path)
      return content === undefined ? undefined : builtAt(content)
    },
    /** Returns whether the module is installed that finds the country of an address. */
    hasGeoModule: async () => (await host.packages.version('pdns-backend-geoip')) !== undefined,
  }),
})

async function detect({ host }: Opening): Promise<Found> {
  const version = await host.packages.version('pdns-server')
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'PowerDNS is not installed' }
  const upstream = version.replace(/^\d+:/, '').replace(/-[^-]*$/, '')
  return { present: true, version: upstream, healthy: true, reason: null }
}

/** The first server of /etc/resolv.conf. */
async function resolverOf(files: Opening['host']['files']): Promise<Question['server']> {
  const text = (await files.read('/etc/resolv.conf')) ?? ''
  return { address: /^nameserver\s+([0-9A-Fa-f:.]+)\s*$/m.exec(text)?.[1] ?? '127.0.0.1', port: 53 }
}
