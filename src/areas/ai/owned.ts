import { isDeepStrictEqual } from 'node:util'
import { type Config, isRecord, textAt, valueAt, withValue } from '../../tools/openclaw/index.ts'
import type { Assistant } from './context.ts'
import { ConfigUnsafe } from './problems.ts'
import { panelKeyVariable } from './providers.ts'

/** The parts of the configuration that the panel relies on. */
export const gatewayConfig = ({ tool }: Pick<Assistant, 'tool'>, token: string): Config => ({
  gateway: {
    mode: 'local',
    bind: 'loopback',
    port: tool.port,
    auth: { mode: 'token', token },
    trustedProxies: ['127.0.0.1'],
    controlUi: { enabled: true },
  },
  update: { checkOnStart: false },
  discovery: { mdns: { mode: 'off' } },
  // OpenClaw would hide the tools of the panel behind a search of its own, and name none of them to the model
  tools: { toolSearch: false },
  agents: { defaults: { heartbeat: { every: '0m' }, skipBootstrap: true } },
})

/** The name of the panel among the MCP servers of the assistant. */
const serverPath = 'mcp.servers.hostreeve'
/** The panel answers a call within 90 seconds; OpenClaw would give up after 60. */
const requestTimeoutMs = 100_000

/** The configuration in which the panel is an MCP server of the assistant. */
export const withPanel = (config: Config, { panel }: Pick<Assistant, 'panel'>): Config =>
  withValue(config, serverPath, {
    url: panel.mcpUrl,
    transport: 'streamable-http',
    requestTimeoutMs,
    headers: { Authorization: `Bearer \${${panelKeyVariable}}` },
  })

/** True if the panel is an MCP server of the assistant. */
export const hasPanel = (config: Config | undefined): boolean => valueAt(config, serverPath) !== undefined

/** What a configuration has as the panel writes it; one that lacks it gets it. */
const fixedPaths = [
  'gateway.mode',
  'gateway.bind',
  'gateway.port',
  'gateway.auth.mode',
  'gateway.trustedProxies',
] as const

/** What would let others in without the token, or without that somebody admits them. */
const offPaths = [
  'gateway.auth.allowTailscale',
  'gateway.allowRealIpFallback',
  'gateway.tls.enabled',
  'gateway.controlUi.allowInsecureAuth',
  'gateway.controlUi.dangerouslyAllowHostHeaderOriginFallback',
  'gateway.controlUi.dangerouslyDisableDeviceAuth',
  'gateway.nodes.pairing.autoApproveCidrs',
] as const

/**
 * Returns a configuration with what the panel owns in it. Fails with the name of the key where it has something else
 * there: the gateway stays on loopback and asks for its token, and its settings stay those that root wrote.
 */
export function withOwned(on: Assistant, config: Config, stored: Config | undefined): Config {
  for (const path of ['gateway', 'gateway.auth', 'gateway.controlUi'])
    if (!isRecord(valueAt(config, path) ?? {})) throw unsafe(path, 'an object')
  const token = ownToken(config, stored)
  const own = withPanel(gatewayConfig(on, token), on)
  for (const path of fixedPaths) {
    const [given, wanted] = [valueAt(config, path), valueAt(own, path)]
    if (given !== undefined && !isDeepStrictEqual(given, wanted)) throw unsafe(path, JSON.stringify(wanted))
  }
  for (const path of offPaths) if (!isOff(valueAt(config, path))) throw unsafe(path, 'absent or false')
  assertOrigins(valueAt(config, 'gateway.controlUi.allowedOrigins'))
  assertClosed(config, [])
  const filled = fixedPaths.reduce((next, path) => withValue(next, path, valueAt(own, path)), config)
  const signingIn = withValue(filled, 'gateway.auth.token', token)
  if (!hasPanel(config)) return signingIn
  const server = valueAt(config, serverPath)
  const known = [own, stored].some((each) => isDeepStrictEqual(server, valueAt(each, serverPath)))
  if (!known) throw unsafe(serverPath, 'as it is: the panel writes it')
  return withPanel(signingIn, on)
}

const unsafe = (path: string, wanted: string) => ConfigUnsafe(`config: ${path} must be ${wanted}`)

const isOff = (value: unknown): boolean =>
  value === undefined || value === false || (Array.isArray(value) && value.length === 0)

/** The panel signs in with the token, and reads it from the configuration. */
function ownToken(config: Config, stored: Config | undefined): string {
  const path = 'gateway.auth.token'
  const given = valueAt(config, path)
  const token = given === undefined ? textAt(stored, path) : given
  if (typeof token !== 'string' || token === '' || token.includes('${'))
    throw unsafe(path, 'the token itself, with which the panel signs in')
  return token
}

/** Fails if pages of any site may use the console. */
function assertOrigins(origins: unknown): void {
  const path = 'gateway.controlUi.allowedOrigins'
  if (origins === undefined) return
  if (!Array.isArray(origins)) throw unsafe(path, 'a list of origins')
  if (origins.some((each) => typeof each !== 'string' || each.includes('*')))
    throw unsafe(path, 'a list of origins such as https://host.example.com:7444')
}

const loopback = new Set<unknown>(['loopback', '127.0.0.1', 'localhost', '::1'])
/** The names of settings by which a part of OpenClaw listens on an address. */
const listening = /^(?:bind|bindHost|customBindHost|webhookHost)$/

/** Fails if any part of a configuration is in another file, has variables, is shown to the network, or has the panel's key. */
function assertClosed(value: unknown, path: readonly string[]): void {
  const name = path.join('.')
  const key = path.at(-1) ?? ''
  if (key === '$include') throw unsafe(name, 'absent: the assistant could change another file')
  if (name === 'env') throw unsafe(name, 'absent: variables are secrets of the vault')
  if (typeof value === 'string') {
    if (listening.test(key) && !loopback.has(value)) throw unsafe(name, 'an address of loopback')
    if (value.includes(panelKeyVariable) && !name.startsWith(`${serverPath}.`))
      throw unsafe(name, `without ${panelKeyVariable}, which is for the panel alone`)
  }
  if (key === 'tailscale' && isRecord(value) && (value['mode'] ?? 'off') !== 'off')
    throw unsafe(`${name}.mode`, '"off"')
  if (key === 'tunnel' && isRecord(value) && (value['provider'] ?? 'none') !== 'none')
    throw unsafe(`${name}.provider`, '"none"')
  if (typeof value !== 'object' || value === null) return
  for (const [below, each] of Object.entries(value)) assertClosed(each, [...path, below])
}
