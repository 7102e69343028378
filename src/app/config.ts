import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parse } from 'smol-toml'
import { rangesOf } from '../host/fetch/index.ts'
import { dataFolderUnusable } from './cannot-start.ts'

/** Where a setting's value comes from. */
export type Source = 'environment' | 'config.toml' | 'default'

interface Definition {
  readonly name: string
  readonly fallback: string
  readonly meaning: string
  readonly isSecret?: boolean
}

/** Every setting of the panel (decision 5.1): HOSTREEVE_<NAME> in the environment, <name> in config.toml. */
export const definitions = [
  { name: 'host', fallback: '127.0.0.1', meaning: 'Address to listen on' },
  { name: 'port', fallback: '7070', meaning: 'Port to listen on' },
  { name: 'tls', fallback: 'auto', meaning: 'auto (HTTPS on all but loopback addresses), on, off' },
  {
    name: 'data_dir',
    fallback: './var',
    meaning: 'Where the store, the keys and the panel certificate live',
  },
  {
    name: 'database_url',
    fallback: '',
    meaning: 'postgres://… instead of SQLite in the data directory',
    isSecret: true,
  },
  { name: 'admin_email', fallback: 'admin@localhost.localdomain', meaning: 'E-mail of the first superuser' },
  {
    name: 'admin_password',
    fallback: '',
    meaning: 'Password of the first superuser; random and printed once when empty',
    isSecret: true,
  },
  { name: 'acme_directory', fallback: '', meaning: 'ACME directory for certificates' },
  {
    name: 'trusted_proxies',
    fallback: '',
    meaning: 'Addresses whose X-Forwarded-For is believed, with commas between',
  },
  {
    name: 'outbound_allow',
    fallback: '',
    meaning:
      'Internal addresses and networks, with commas between, that users who are not superusers may download from and reach with git',
  },
  {
    name: 'history_mib',
    fallback: '256',
    meaning: 'Room on the disk for former versions of the files of each hosting user, in MiB; 0 keeps none',
  },
  { name: 'history_days', fallback: '90', meaning: 'How many days former versions are kept' },
  {
    name: 'history_file_mib',
    fallback: '8',
    meaning: 'Larger files have no former versions, in MiB, at most 64',
  },
  { name: 'log_level', fallback: 'info', meaning: 'trace, debug, info, warn, error' },
  {
    name: 'telemetry_secret',
    fallback: '',
    meaning: 'Shared secret of the telemetry endpoints',
    isSecret: true,
  },
  { name: 'telemetry_allow', fallback: '', meaning: 'Addresses that may ping' },
  { name: 'license_url', fallback: '', meaning: 'Licence server' },
  { name: 'license_public_key', fallback: '', meaning: 'Key that signs licences' },
  { name: 'public_ip_url', fallback: '', meaning: 'Where the public address is looked up' },
  {
    name: 'metrics_token',
    fallback: '',
    meaning: 'Bearer token that /metrics takes from other than loopback addresses',
    isSecret: true,
  },
] as const satisfies readonly Definition[]

export type SettingName = (typeof definitions)[number]['name']

/** One effective setting and its source. */
export interface Setting {
  readonly name: SettingName
  readonly value: string
  readonly source: Source
  readonly meaning: string
  readonly isSecret: boolean
}

export type Config = Readonly<Record<SettingName, string>> & { readonly settings: readonly Setting[] }

/** The configuration cannot be used. */
export class ConfigInvalid extends Error {}

/** Reads the settings: the environment, then config.toml in the data directory, then defaults. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const folder = environment['HOSTREEVE_DATA_DIR'] ?? './var'
  const file = readFile(environment['HOSTREEVE_CONFIG'] ?? `${folder}/config.toml`, folder)
  const settings = definitions.map((definition: Definition & { readonly name: SettingName }): Setting => {
    const { name, fallback, meaning, isSecret = false } = definition
    const fromEnvironment = environment[`HOSTREEVE_${name.toUpperCase()}`]
    if (fromEnvironment !== undefined)
      return { name, value: fromEnvironment, source: 'environment', meaning, isSecret }
    if (name in file) return { name, value: String(file[name]), source: 'config.toml', meaning, isSecret }
    return { name, value: fallback, source: 'default', meaning, isSecret }
  })
  return check({
    ...(Object.fromEntries(settings.map(({ name, value }) => [name, value])) as Record<SettingName, string>),
    settings,
  })
}

/** The addresses and networks of a setting that has commas between them. */
export function listOf(value: string): readonly string[] {
  return value
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
}

const MiB = 1024 * 1024

/** The limits of the file history of one hosting user. */
export function historyOf({ history_mib, history_days, history_file_mib }: Config) {
  return {
    quotaBytes: Number(history_mib) * MiB,
    maxAgeDays: Number(history_days),
    maxFileBytes: Number(history_file_mib) * MiB,
  }
}

function readFile(path: string, folder: string): Record<string, unknown> {
  try {
    return parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return {}
    if (dirname(path) === folder && ['EACCES', 'ENOTDIR'].includes(code))
      throw dataFolderUnusable(folder, error)
    throw new ConfigInvalid(`${path}: ${(error as Error).message}`, { cause: error })
  }
}

const levels: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error']

function check(config: Config): Config {
  if (!/^\d+$/.test(config.port) || Number(config.port) > 65_535)
    throw new ConfigInvalid(`HOSTREEVE_PORT: must be a port from 0 to 65535, not ${config.port}`)
  if (!['auto', 'on', 'off'].includes(config.tls))
    throw new ConfigInvalid(`HOSTREEVE_TLS: must be auto, on or off, not ${config.tls}`)
  if (!levels.includes(config.log_level))
    throw new ConfigInvalid(
      `HOSTREEVE_LOG_LEVEL: must be one of ${levels.join(', ')}, not ${config.log_level}`,
    )
  for (const [name, most] of [
    ['history_mib', 1_000_000],
    ['history_days', 36_500],
    ['history_file_mib', 64],
  ] as const)
    if (!/^\d+$/.test(config[name]) || Number(config[name]) > most)
      throw new ConfigInvalid(
        `HOSTREEVE_${name.toUpperCase()}: must be a whole number from 0 to ${most}, not ${config[name]}`,
      )
  if (config.database_url !== '')
    throw new ConfigInvalid(
      'HOSTREEVE_DATABASE_URL: this version keeps its store in SQLite; leave the setting empty',
    )
  try {
    rangesOf(listOf(config.outbound_allow))
  } catch (error) {
    throw new ConfigInvalid(
      `HOSTREEVE_OUTBOUND_ALLOW: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  }
  return config
}
