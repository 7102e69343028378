import { setTimeout as wait } from 'node:timers/promises'
import { sql, type SqlConnection } from '../../host/apply/steps.ts'
import { heartbeatDatabase } from './replication/heartbeat.ts'

/** The counters of the server by their names in lower case, as it had them at a time by its clock. */
export interface Counters {
  /** Seconds since 1970. */
  readonly at: number
  of(name: string): number
}

/** Two readings of one run of the server, for rates. */
export interface CounterPair {
  readonly before: Counters
  readonly after: Counters
}

export interface DatabaseSize {
  readonly name: string
  /** Data and indexes, as the engines estimate them. */
  readonly sizeBytes: number
}

const shortestSeconds = 1
const longestSeconds = 60

/** Reads the status variables of the server, its buffer pool's size, and the time by its clock. */
export async function readCounters(connection: SqlConnection): Promise<Counters> {
  const rows = await connection.run(
    sql`select variable_name name, variable_value value from information_schema.global_status
        union all select 'innodb_buffer_pool_size', @@global.innodb_buffer_pool_size
        union all select 'at', unix_timestamp(sysdate(6))`,
  )
  const values = new Map(rows.map(({ name, value }) => [String(name).toLowerCase(), Number(value)]))
  const of = (name: string) => {
    const value = values.get(name)
    return value === undefined || !Number.isFinite(value) ? 0 : Math.max(0, value)
  }
  return { at: of('at'), of }
}

/**
 * Opens the reading of counters in pairs. The former reading is that of the last call, if it is between one
 * second and a minute old and the server was not restarted since; otherwise one is made a second earlier.
 */
export function openCounterPairs(connection: SqlConnection): (signal: AbortSignal) => Promise<CounterPair> {
  let last: Counters | undefined
  const isUsable = (after: Counters) => {
    const seconds = after.at - (last?.at ?? 0)
    const isSameRun = (last?.of('uptime') ?? 0) <= after.of('uptime')
    return seconds >= shortestSeconds && seconds <= longestSeconds && isSameRun
  }
  return async (signal) => {
    const now = await readCounters(connection)
    const before = last !== undefined && isUsable(now) ? last : now
    if (before === now) await wait(shortestSeconds * 1000, undefined, { signal })
    const after = before === now ? await readCounters(connection) : now
    last = after
    return { before, after }
  }
}

/** Returns how much a counter, or the sum of several, grew in each second between two readings. */
export function perSecond({ before, after }: CounterPair, ...names: readonly string[]): number {
  const seconds = after.at - before.at
  if (seconds <= 0) return 0
  return names.reduce((sum, name) => sum + Math.max(0, after.of(name) - before.of(name)), 0) / seconds
}

/** Lists the databases with their sizes, the largest first, without those of the server itself and of the panel. */
export async function listDatabaseSizes(connection: SqlConnection): Promise<readonly DatabaseSize[]> {
  const rows = await connection.run(
    sql`select s.schema_name name, coalesce(sum(t.data_length + t.index_length), 0) size
        from information_schema.schemata s
        left join information_schema.tables t on t.table_schema = s.schema_name
        where s.schema_name not in ('information_schema', 'performance_schema', 'mysql', 'sys', ${heartbeatDatabase})
        group by s.schema_name order by size desc, name limit 10000`,
  )
  return rows.map(({ name, size }) => ({ name: String(name), sizeBytes: Number(size) }))
}
