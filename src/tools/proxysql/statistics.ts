import type { SqlRow } from '../../host/apply/steps.ts'
import { type Admin, plain } from './admin.ts'

/** The live state of a server in one hostgroup. */
export interface PoolRow {
  readonly hostgroupId: number
  readonly hostname: string
  readonly port: number
  readonly status: string
  readonly used: number
  readonly free: number
  readonly succeeded: number
  readonly failed: number
  readonly queries: number
  readonly bytesSent: number
  readonly bytesReceived: number
  readonly latencyUs: number
}

const countOf = (row: SqlRow, column: string): number =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.trunc(Number(row[column] ?? 0)) || 0))

/** Reads the connections to each server. */
export async function readPool(admin: Admin): Promise<readonly PoolRow[]> {
  return (await admin.run(plain('SELECT * FROM stats.stats_mysql_connection_pool'))).map((row) => ({
    hostgroupId: countOf(row, 'hostgroup'),
    hostname: String(row['srv_host']),
    port: countOf(row, 'srv_port'),
    status: String(row['status']),
    used: countOf(row, 'ConnUsed'),
    free: countOf(row, 'ConnFree'),
    succeeded: countOf(row, 'ConnOK'),
    failed: countOf(row, 'ConnERR'),
    queries: countOf(row, 'Queries'),
    bytesSent: countOf(row, 'Bytes_data_sent'),
    bytesReceived: countOf(row, 'Bytes_data_recv'),
    latencyUs: countOf(row, 'Latency_us'),
  }))
}

/** Reads the global counters by their names. */
export async function readCounters(admin: Admin): Promise<Readonly<Record<string, number>>> {
  const rows = await admin.run(plain('SELECT * FROM stats.stats_mysql_global'))
  return Object.fromEntries(rows.map((row) => [String(row['Variable_Name']), countOf(row, 'Variable_Value')]))
}

/** Reads how often each rule matched, by its id. */
export async function readHits(admin: Admin): Promise<ReadonlyMap<number, number>> {
  const rows = await admin.run(plain('SELECT * FROM stats.stats_mysql_query_rules'))
  return new Map(rows.map((row) => [countOf(row, 'rule_id'), countOf(row, 'hits')]))
}

/** A shape of statements, with what it cost. */
export interface Digest {
  readonly hostgroupId: number
  readonly schema: string
  readonly username: string
  readonly text: string
  readonly count: number
  readonly timeUs: number
}

/** Reads the shapes of statements that took the most time; at most 50. */
export async function readDigests(admin: Admin): Promise<readonly Digest[]> {
  const statement =
    'SELECT hostgroup, schemaname, username, digest_text, count_star, sum_time FROM stats.stats_mysql_query_digest ORDER BY sum_time DESC LIMIT 50'
  return (await admin.run(plain(statement))).map((row) => ({
    hostgroupId: countOf(row, 'hostgroup'),
    schema: String(row['schemaname'] ?? ''),
    username: String(row['username'] ?? ''),
    text: String(row['digest_text'] ?? '').slice(0, 2000),
    count: countOf(row, 'count_star'),
    timeUs: countOf(row, 'sum_time'),
  }))
}

/** Reads why the last ping of a server failed, by `hostname:port`; one that answered is absent. */
export async function readPingErrors(admin: Admin): Promise<ReadonlyMap<string, string>> {
  const rows = await admin.run(
    plain(
      'SELECT hostname, port, ping_error FROM monitor.mysql_server_ping_log ORDER BY time_start_us DESC LIMIT 500',
    ),
  )
  const last = new Map<string, string>()
  for (const row of rows) {
    const key = `${row['hostname']}:${row['port']}`
    if (!last.has(key)) last.set(key, String(row['ping_error'] ?? '').slice(0, 500))
  }
  return new Map([...last].filter(([, reason]) => reason !== ''))
}
