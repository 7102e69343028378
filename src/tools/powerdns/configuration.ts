import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { answers, untilAnswering } from './await-answer.ts'
import type { PowerdnsApi } from './api.ts'
import { accountName, configurationPath, databaseName, defaultApiPort, linuxAccount } from './layout.ts'

interface ConfigurationArgs {
  readonly apiKey?: string
  readonly apiPort?: number
  /** Of the account in MariaDB; a new configuration needs it. */
  readonly password?: string
  /** True if the running PowerDNS is restarted with it, and answers. */
  readonly restarts?: boolean
}

interface ConfigurationState {
  readonly content: string
}

/** Renders the configuration; the values are those that the panel drew, of letters, digits, `-` and `_`. */
export function renderConfiguration({
  apiKey = '',
  apiPort = defaultApiPort,
  password = '',
}: ConfigurationArgs) {
  for (const value of [apiKey, password])
    if (!/^[\w-]{16,128}$/.test(value)) throw new Error('the key or password has an unexpected form')
  return `# Written by Hostreeve. Lines that are added stay.
launch=gmysql
gmysql-socket=/run/mysqld/mysqld.sock
gmysql-user=${accountName}
gmysql-password=${password}
gmysql-dbname=${databaseName}
gmysql-dnssec=yes
api=yes
api-key=${apiKey}
webserver=yes
webserver-address=127.0.0.1
webserver-port=${apiPort}
webserver-allow-from=127.0.0.1
# in MiB: an import sends a zone at once
webserver-max-bodysize=64
webserver-loglevel=none
zone-cache-refresh-interval=0
enable-lua-records=yes
default-soa-content=ns1.@ hostmaster.@ 0 10800 3600 604800 3600
security-poll-suffix=
`
}

function withSettings(content: string, { apiKey, apiPort, password }: ConfigurationArgs): string {
  const replaced = [
    { name: 'api-key', value: apiKey },
    { name: 'webserver-port', value: apiPort },
    { name: 'gmysql-password', value: password },
  ].filter(({ value }) => value !== undefined)
  return content
    .split('\n')
    .map((line) => {
      const found = replaced.find(({ name }) => line.startsWith(`${name}=`))
      return found === undefined ? line : `${found.name}=${found.value}`
    })
    .join('\n')
}

/** The step that writes the configuration, or sets the key or the port of the API in it. */
export function writeConfiguration(
  { accounts, files, services }: Pick<Host, 'accounts' | 'files' | 'services'>,
  api: PowerdnsApi,
): StepKind<ConfigurationArgs, Was<ConfigurationState>, null> {
  return stateStep<ConfigurationArgs, ConfigurationState>({
    name: 'powerdns.write-configuration',
    plan: ({ apiKey, apiPort, password, restarts }) => ({
      title: `Write ${configurationPath}`,
      details: [
        ...(apiKey === undefined ? [] : ['The key of the API is set']),
        ...(apiPort === undefined ? [] : [`The API listens on 127.0.0.1, port ${apiPort}`]),
        ...(password === undefined ? [] : ['The password of the account in MariaDB is set']),
        ...(restarts ? ['PowerDNS is restarted'] : []),
      ],
    }),
    read: async () => {
      const content = await files.read(configurationPath)
      return content === undefined ? undefined : { content }
    },
    wanted: (args, was) => ({
      content: was === undefined ? renderConfiguration(args) : withSettings(was.content, args),
    }),
    isInEffect: async ({ restarts }) => !restarts || (await answers(api)),
    write: async ({ restarts }, state) => {
      if (state === undefined) return files.remove(configurationPath)
      const account = await accounts.find(linuxAccount)
      const group = account === undefined ? {} : { gid: account.gid }
      await files.write(configurationPath, state.content, { rights: { mode: 0o640, ...group } })
      if (!restarts) return
      await services.act('pdns', 'restart')
      await untilAnswering(api)
    },
  })
}
