import { type Change, change, step } from '../../core/change.ts'
import { isMasked } from '../../core/secret.ts'
import { success } from '../../core/reply.ts'
import { databaseName, serverId } from '../../tools/powerdns/index.ts'
import type { Authdns } from './context.ts'
import { serverLock } from './locks.ts'
import type { AuthdnsConfig, AuthdnsConfigDraft, AuthdnsStats, AuthdnsStatus } from './model.ts'
import { ConfigInvalid, NotSetUp } from './problems.ts'

/** Reads whether PowerDNS is installed, runs and answers. */
export async function readStatus({ tool }: Authdns): Promise<AuthdnsStatus> {
  const { present, version, reason } = await tool.detect()
  const isSetUp = (await tool.readApiSettings()) !== undefined
  if (!present || !isSetUp) {
    const missing = present ? 'PowerDNS is installed, and not set up by the panel' : reason
    return { installed: false, running: false, answering: false, version, reason: missing }
  }
  const running = await tool.isRunning()
  const failure = await tool.readVersion().then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 2000),
  )
  return { installed: true, running, answering: failure === null, version, reason: failure }
}

/** Reads the counters of the running server. */
export async function readStats({ tool }: Authdns): Promise<AuthdnsStats> {
  const counters = await tool.readStatistics()
  const count = (name: string) => Math.max(0, Math.trunc(counters[name] ?? 0))
  return {
    uptime_seconds: count('uptime'),
    udp_queries: count('udp-queries'),
    tcp_queries: count('tcp-queries'),
    udp_answers: count('udp-answers'),
    tcp_answers: count('tcp-answers'),
    packet_cache_hits: count('packetcache-hit'),
    packet_cache_misses: count('packetcache-miss'),
    query_cache_hits: count('query-cache-hit'),
    servfail_answers: count('servfail-packets'),
    latency_microseconds: count('latency'),
    zones: (await tool.listZones()).length,
  }
}

/** Reads how the panel reaches PowerDNS. */
export async function readConfig({ tool }: Authdns): Promise<AuthdnsConfig> {
  const settings = await tool.readApiSettings()
  if (settings === undefined) return { installed: false }
  return {
    installed: true,
    api_url: `http://127.0.0.1:${settings.port}`,
    api_key: settings.key,
    server_id: serverId,
    db_name: databaseName,
  }
}

/** Sets the port or the key of the API in the configuration of PowerDNS, and restarts it. */
export async function setConfig(on: Authdns, draft: AuthdnsConfigDraft): Promise<Change<{ success: true }>> {
  const { tool } = on
  const settings = await tool.readApiSettings()
  if (settings === undefined) throw NotSetUp()
  if (draft.server_id && draft.server_id !== serverId)
    throw ConfigInvalid(`server_id: PowerDNS answers to ${serverId} only`)
  const apiKey = keyIn(draft)
  const apiPort = portIn(draft)
  const isSame = (apiKey ?? settings.key) === settings.key && (apiPort ?? settings.port) === settings.port
  const args = { ...(apiKey && { apiKey }), ...(apiPort && { apiPort }), restarts: true }
  return change({
    summary: 'Set how the panel reaches PowerDNS',
    locks: [serverLock],
    steps: isSame ? [] : [step(tool.steps.writeConfiguration, args)],
    reply: success,
  })
}

function keyIn({ api_key = '' }: AuthdnsConfigDraft): string | undefined {
  if (api_key === '' || isMasked(api_key)) return undefined
  if (!/^[\w-]{16,128}$/.test(api_key))
    throw ConfigInvalid('api_key: must have 16 to 128 letters, digits, - or _')
  return api_key
}

function portIn({ api_url = '' }: AuthdnsConfigDraft): number | undefined {
  if (api_url === '') return undefined
  const port = Number(/^http:\/\/(?:127\.0\.0\.1|localhost):(\d{1,5})\/?$/.exec(api_url)?.[1])
  if (!(port >= 1024 && port <= 65_535))
    throw ConfigInvalid(
      'api_url: must be http://127.0.0.1: and a port from 1024 to 65535, such as http://127.0.0.1:8081',
    )
  return port
}
