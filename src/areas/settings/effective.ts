import { ipv4Form } from '../../core/ipv4-form.ts'
import { rangesOf } from '../../host/fetch/index.ts'
import { mapKeys } from '../../core/tool.ts'
import type { Definition } from './definition.ts'
import { definitions, type SettingName, settingNames } from './definitions.ts'

/** Where a setting's value comes from. */
export type SettingSource = 'environment' | 'config.toml' | 'default'

/** One effective setting and its source. */
export interface EffectiveSetting {
  readonly name: SettingName
  readonly value: string
  readonly source: SettingSource
  readonly meaning: string
  readonly isSecret: boolean
  /** The table of config.toml that sets it, which no form edits. */
  readonly table?: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/** A setting has a value that the panel cannot start with. */
export class SettingInvalid extends Error {
  readonly setting: SettingName
  constructor(setting: SettingName, reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.setting = setting
  }
}

/** The variable that sets a setting in the environment. */
export const variableOf = (name: SettingName): string => `HOSTREEVE_${name.toUpperCase()}`

/** The effective settings: the environment, then config.toml, then defaults. Throws `SettingInvalid` for a table. */
export function effectiveSettings(
  environment: Environment,
  file: Readonly<Record<string, unknown>>,
): readonly EffectiveSetting[] {
  return definitions.map((definition: Definition & { readonly name: SettingName }) => {
    const { name, fallback, meaning, isSecret = false, table } = definition
    const fromEnvironment = environment[variableOf(name)]
    if (fromEnvironment !== undefined)
      return { name, value: fromEnvironment, source: 'environment', meaning, isSecret }
    const inTable = table === undefined ? undefined : tableIn(file, table)?.[name]
    if (table !== undefined && inTable !== undefined) {
      if (Object.hasOwn(file, name)) throw new SettingInvalid(name, `is also in [${table}]: keep one of both`)
      return { name, value: textIn(name, inTable), source: 'config.toml', meaning, isSecret, table }
    }
    if (Object.hasOwn(file, name))
      return { name, value: textIn(name, file[name]), source: 'config.toml', meaning, isSecret }
    return { name, value: fallback, source: 'default', meaning, isSecret }
  })
}

function tableIn(
  file: Readonly<Record<string, unknown>>,
  table: string,
): Readonly<Record<string, unknown>> | undefined {
  const found = file[table]
  const isTable = typeof found === 'object' && found !== null && !Array.isArray(found)
  return isTable ? { ...found } : undefined
}

function textIn(name: SettingName, value: unknown): string {
  const isOne = typeof value !== 'object' || value instanceof Date
  if (isOne || (Array.isArray(value) && value.every((each) => typeof each !== 'object'))) return String(value)
  throw new SettingInvalid(name, 'must be one value, not a table')
}

/** The values of settings by name. */
export const valuesOf = (settings: readonly EffectiveSetting[]): Readonly<Record<SettingName, string>> =>
  mapKeys(settingNames, (name) => settings.find((each) => each.name === name)?.value ?? '')

/** The addresses and networks of a setting that has commas between them. */
export function listOf(value: string): readonly string[] {
  return value
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
}

/** Throws `SettingInvalid` for the first value that the panel cannot start with. */
export function assertStartable(values: Readonly<Record<SettingName, string>>): void {
  for (const definition of definitions) assertInRange(definition, values[definition.name])
  if (!/^[\w.:%-]*$/.test(values.host))
    throw new SettingInvalid('host', `must be an address or a host name, not ${values.host}`)
  assertDatabase(values.database_url)
  assertRanges('outbound_allow', listOf(values.outbound_allow))
  assertRanges('telemetry_allow', listOf(values.telemetry_allow))
  assertSignedSource('license', values.license_url, values.license_public_key)
  assertSignedSource('update', values.update_url, values.update_public_key)
  assertPartner(values.partner_api_url)
  assertMail(values)
  assertProxies(listOf(values.trusted_proxies).filter((each) => !namedRanges.has(each)))
}

/** Throws `SettingInvalid` for an address that is none of a PostgreSQL database. It is not quoted, as it may contain a password. */
export function assertDatabase(url: string): void {
  if (url === '') return
  const wanted = 'must be like postgres://user:password@host:5432/database, or empty for SQLite'
  const parsed = URL.parse(url)
  if (parsed === null || !['postgres:', 'postgresql:'].includes(parsed.protocol))
    throw new SettingInvalid('database_url', wanted)
  if (parsed.pathname.length < 2) throw new SettingInvalid('database_url', `${wanted}: it names no database`)
  if (!isOnThisHost(parsed) && !parsed.searchParams.has('sslmode'))
    throw new SettingInvalid(
      'database_url',
      'must end with ?sslmode=verify-full for a server on another host, or with ?sslmode=disable if nobody else can read that network',
    )
}

/** A socket is named by its folder, whose slashes are encoded. */
const isOnThisHost = ({ hostname, searchParams }: URL): boolean =>
  /^(?:$|\/|%2f|localhost$|127\.|\[::1\]$)/i.test(searchParams.get('host') ?? hostname)

/** Fastify refuses a range of all addresses, with which every visitor could name any address as its own. */
function assertProxies(texts: readonly string[]): void {
  assertRanges('trusted_proxies', texts)
  const all = texts.find((each) => /\/0+$/.test(ipv4Form(each)))
  if (all !== undefined)
    throw new SettingInvalid(
      'trusted_proxies',
      `must name the proxies, such as 192.0.2.7, not all addresses: ${all}`,
    )
}

/** A server and the key that its answers are verified with. */
function assertSignedSource(of: 'license' | 'update', url: string, key: string): void {
  if (url !== '' && !['http:', 'https:'].includes(URL.parse(url)?.protocol ?? ''))
    throw new SettingInvalid(
      `${of}_url`,
      `must be a URL such as https://${of === 'license' ? 'licences' : 'releases'}.example.com, not ${url}`,
    )
  if (key !== '' && !/^[A-Za-z0-9+/]{43}=$/.test(key))
    throw new SettingInvalid(`${of}_public_key`, 'must be 32 bytes in base64: 44 characters')
}

function assertPartner(url: string): void {
  if (url !== '' && !['http:', 'https:'].includes(URL.parse(url)?.protocol ?? ''))
    throw new SettingInvalid(
      'partner_api_url',
      `must be a URL such as https://partner.example.com/v1, not ${url}`,
    )
}

function assertMail({ smtp_url: url, mail_from: sender }: Readonly<Record<SettingName, string>>) {
  const parsed = URL.parse(url)
  if (parsed === null || !['smtp:', 'smtps:'].includes(parsed.protocol) || parsed.hostname === '')
    throw new SettingInvalid('smtp_url', 'must be a URL such as smtp://mail.example.com:587')
  if (sender !== '' && !/^[^\s<>@,;]{1,64}@[^\s<>@,;]{1,189}$/.test(sender))
    throw new SettingInvalid('mail_from', `must be an e-mail address, not ${sender}`)
}

/** Names that Fastify takes for ranges of trusted proxies. */
const namedRanges: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal'])

function assertInRange(
  { name, choices, least = 0, most, fallback }: Definition & { readonly name: SettingName },
  value: string,
): void {
  if (choices && !choices.includes(value))
    throw new SettingInvalid(name, `must be one of ${choices.join(', ')}, not ${value}`)
  if (most === undefined || value === fallback) return
  if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most) return
  const expected = name === 'port' ? 'a port' : 'a whole number'
  throw new SettingInvalid(name, `must be ${expected} from ${least} to ${most}, not ${value}`)
}

function assertRanges(name: SettingName, texts: readonly string[]): void {
  try {
    rangesOf(texts)
  } catch (error) {
    throw new SettingInvalid(name, error instanceof Error ? error.message : String(error), { cause: error })
  }
}
