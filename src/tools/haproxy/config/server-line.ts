import { hasFlag, type Param, param, paramsOf, valueOf, withFlag, withValue } from './server-params.ts'
import { encodeToken, readTokens } from './tokens.ts'

/**
 * The effective settings of one server of a backend, from its own line or from a preceding `default-server`.
 */
export interface ServerView {
  readonly name: string
  /**
   * A host name, an address without brackets, or another form that HAProxy accepts, such as
   * `unix@/run/app.sock`.
   */
  readonly address: string
  readonly port: number | null
  readonly weight: number | null
  readonly isBackup: boolean
  readonly usesTls: boolean
  readonly isChecked: boolean
  /** Time between two checks, as a duration. */
  readonly interval: string | null
  /** The number of successful checks that mark it up, and of failed checks that mark it down. */
  readonly rise: number | null
  readonly fall: number | null
  readonly maxConnections: number | null
  /** The certificate verification mode. */
  readonly verify: string | null
  /** The sample expression that is sent as the TLS server name (SNI). */
  readonly sni: string | null
  /** The cookie value that identifies the server when sessions are sticky by cookie. */
  readonly cookie: string | null
}

/**
 * The settings of a server that a form edits. All other parameters of its line are kept, as is a setting that
 * is undefined; null restores the default.
 */
export interface ServerSettings {
  readonly name: string
  readonly address: string
  readonly port: number
  readonly weight: number | null
  readonly isBackup: boolean
  readonly usesTls: boolean
  readonly isChecked: boolean
  readonly interval?: string | null
  readonly rise?: number | null
  readonly fall?: number | null
  readonly maxConnections?: number | null
  readonly verify?: 'none' | 'required' | null
  readonly sni?: string | null
  readonly cookie?: string | null
}

/**
 * Reads a `server` line, with the parameters inherited from `default-server`; returns undefined for any other
 * line.
 */
export function readServer(line: string, inherited: readonly Param[] = []): ServerView | undefined {
  const tokens = readTokens(line)
  if (tokens[0]?.text !== 'server' || tokens.length < 3) return undefined
  const own = paramsOf(line, tokens, 3)
  const params = inherited.length === 0 ? own : [...inherited, ...own]
  const values = new Map(params.map(({ key, value }) => [key, value]))
  const text = (key: string) => values.get(key) ?? null
  const number = (key: string) => {
    const value = values.get(key)
    return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : null
  }
  const flag = (key: string) => values.has(key) && (!values.has(`no-${key}`) || hasFlag(params, key))
  return {
    name: tokens[1]!.text,
    ...readAddress(tokens[2]!.text),
    weight: number('weight'),
    isBackup: flag('backup'),
    usesTls: flag('ssl'),
    isChecked: flag('check'),
    interval: text('inter'),
    rise: number('rise'),
    fall: number('fall'),
    maxConnections: number('maxconn'),
    verify: text('verify'),
    sni: text('sni'),
    cookie: text('cookie'),
  }
}

/** Returns the name on a `server` line without parsing the rest. */
export function serverName(line: string): string | undefined {
  return /^[ \t]*server[ \t]+([A-Za-z0-9_.:-]+)[ \t]+[^\s#]/.exec(line)?.[1] ?? readServer(line)?.name
}

/** Renders the line of a new server. */
export function renderServer(
  settings: ServerSettings,
  indent: string,
  inherited: readonly Param[] = [],
): string {
  const params = withSettings([], inherited, settings)
  return `${indent}server ${encodeToken(settings.name)} ${encodeToken(addressWord(settings))}${params.map(({ raw }) => raw).join('')}`
}

/** Applies form settings to a server's line; keeps its other parameters and its comment as written. */
export function editServer(line: string, settings: ServerSettings, inherited: readonly Param[] = []): string {
  const tokens = readTokens(line)
  const own = paramsOf(line, tokens, 3)
  const params = withSettings(own, inherited, settings)
  const [, name, address] = tokens
  const head = `${line.slice(0, name!.start)}${kept(name!, settings.name)}${line.slice(name!.start + name!.raw.length, address!.start)}`
  const written = sameAddress(readAddress(address!.text), settings)
    ? address!.raw
    : encodeToken(addressWord(settings))
  const last = tokens.at(-1)!
  if (params === own) return head + written + line.slice(address!.start + address!.raw.length)
  return `${head}${written}${params.map(({ raw }) => raw).join('')}${line.slice(last.start + last.raw.length)}`
}

/** Copies a server's line under another name and port; HAProxy's explicit server ids are not copied. */
export function copyServer(
  line: string,
  {
    name,
    port,
    inherited,
  }: { readonly name: string; readonly port: number; readonly inherited: readonly Param[] },
): string {
  const found = readServer(line, inherited)!
  const isNetwork = found.port !== null || !isLocal(found.address)
  const { address, weight, isBackup, isChecked } = found
  const usesTls = found.usesTls || (isNetwork && port === 443)
  return editServer(
    line,
    { name, address, port: isNetwork ? port : 0, weight, isBackup, isChecked, usesTls },
    inherited,
  )
}

/** The settings in the order in which a new line lists them. */
function withSettings(
  own: readonly Param[],
  inherited: readonly Param[],
  settings: ServerSettings,
): readonly Param[] {
  const text = (value: number | null | undefined) => (typeof value === 'number' ? String(value) : value)
  const set = (params: readonly Param[], key: string, value: string | null | undefined) =>
    withValue(params, inherited, key, value)
  let params = withFlag(own, inherited, 'check', settings.isChecked)
  params = set(params, 'inter', settings.interval)
  params = set(params, 'rise', text(settings.rise))
  params = set(params, 'fall', text(settings.fall))
  params = set(params, 'weight', text(settings.weight))
  params = set(params, 'maxconn', text(settings.maxConnections))
  params = withTls(params, inherited, settings)
  params = set(params, 'cookie', settings.cookie)
  return withFlag(params, inherited, 'backup', settings.isBackup)
}

/**
 * The authorities that Debian trusts. `@system-ca` would be shorter, but is resolved relative to `ca-base`,
 * which Debian's configuration sets.
 */
const authorities = '/etc/ssl/certs/ca-certificates.crt'

const withTlsOnly = new Set(['verify', 'ca-file', 'sni'])

/**
 * If the certificate of a server is to be verified and no authorities are named, those of the system are
 * used.
 */
function withTls(
  own: readonly Param[],
  inherited: readonly Param[],
  { usesTls, verify, sni }: ServerSettings,
): readonly Param[] {
  const params = withFlag(own, inherited, 'ssl', usesTls)
  if (!usesTls)
    return params.some(({ key }) => withTlsOnly.has(key))
      ? params.filter(({ key }) => !withTlsOnly.has(key))
      : params
  const isKnown = valueOf([...inherited, ...params], 'verify') !== undefined
  const verified = withValue(params, inherited, 'verify', verify ?? (isKnown ? verify : 'none'))
  const needsAuthorities =
    verify === 'required' && valueOf([...inherited, ...verified], 'ca-file') === undefined
  return withValue(
    needsAuthorities ? [...verified, param('ca-file', authorities)] : verified,
    inherited,
    'sni',
    sni,
  )
}

const isLocal = (address: string) => /^(?:unix@|abns@|abnsz@|uxst@|fd@|sockpair@|rhttp@|\/)/.test(address)

function readAddress(token: string): { readonly address: string; readonly port: number | null } {
  if (isLocal(token)) return { address: token, port: null }
  const found = /^(.*):([0-9]{1,5})$/.exec(token)
  const address = found?.[1] ?? token
  return { address: address.replace(/^\[(.*)\]$/, '$1'), port: found === null ? null : Number(found[2]) }
}

function sameAddress(
  one: { readonly address: string; readonly port: number | null },
  other: ServerSettings,
): boolean {
  return one.address === other.address && (one.port === other.port || isLocal(one.address))
}

const kept = (token: { readonly raw: string; readonly text: string }, wanted: string) =>
  token.text === wanted ? token.raw : encodeToken(wanted)

function addressWord({ address, port }: ServerSettings): string {
  return address.includes(':') && !address.startsWith('ipv6@') ? `[${address}]:${port}` : `${address}:${port}`
}
