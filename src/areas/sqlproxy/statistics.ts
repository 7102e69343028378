import { type Change, change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import type { Sqlproxy } from './context.ts'
import { proxyLock } from './locks.ts'
import type { SqlproxyStats } from './model.ts'

/** Reads the counters of the proxy, of its servers and of statements. */
export async function readStats({ tool }: Sqlproxy): Promise<SqlproxyStats> {
  const counters = await tool.readCounters()
  const pool = await tool.readPool()
  const digests = await tool.readDigests()
  const count = (name: string) => counters[name] ?? 0
  return {
    uptime_seconds: count('ProxySQL_Uptime'),
    questions: count('Questions'),
    slow_queries: count('Slow_queries'),
    client_connections: count('Client_Connections_connected'),
    client_connections_created: count('Client_Connections_created'),
    client_connections_aborted: count('Client_Connections_aborted'),
    server_connections: count('Server_Connections_connected'),
    backends: pool.map((each) => ({
      hostgroup_id: each.hostgroupId,
      hostname: each.hostname,
      port: each.port,
      status: each.status,
      connections_used: each.used,
      connections_free: each.free,
      connections_ok: each.succeeded,
      connections_failed: each.failed,
      queries: each.queries,
      bytes_sent: each.bytesSent,
      bytes_received: each.bytesReceived,
      latency_us: each.latencyUs,
    })),
    statements: digests.map(({ hostgroupId, schema, username, text, count: times, timeUs }) => ({
      ...{ hostgroup_id: hostgroupId, schema: printable(schema), username: printable(username), text },
      ...{ count: times, time_us: timeUs },
    })),
  }
}

const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ').slice(0, 200)

/** Sets the counters of servers and statements to zero. */
export async function resetStats({ tool }: Sqlproxy): Promise<Change<{ success: true }>> {
  return change({
    summary: 'Set the statistics of the SQL proxy to zero',
    locks: [proxyLock],
    steps: [step(tool.steps.resetStatistics, null)],
    reply: success,
  })
}
