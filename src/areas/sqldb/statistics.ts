import { Problem } from '../../core/problem.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { type CounterPair, type DatabaseSize, perSecond } from '../../tools/mariadb/index.ts'
import { sizeText } from '../../core/size-text.ts'
import type { Sqldb } from './context.ts'
import type { MonitorStats } from './model.ts'

/** Reads what the server does now; everything is zero while it does not run (decision 4.22). */
export async function readStatistics({ tool }: Sqldb, signal: AbortSignal): Promise<MonitorStats> {
  try {
    const [pair, databases] = await Promise.all([tool.readCounterPair(signal), tool.listDatabaseSizes()])
    return statisticsOf(pair, databases)
  } catch (error) {
    if (error instanceof Problem && error.kind === connectProblems.NotAnswering) return statisticsOf(none, [])
    throw error
  }
}

const nothing = { at: 0, of: () => 0 }
const none: CounterPair = { before: nothing, after: nothing }
/** Each row that is read is read by one of these calls of a storage engine. */
const reads = ['first', 'key', 'last', 'next', 'prev', 'rnd', 'rnd_deleted', 'rnd_next'].map(
  (each) => `handler_read_${each}`,
)
const writes = ['handler_write', 'handler_update', 'handler_delete']

/** Computes the figures from two readings of the status variables. */
export function statisticsOf(pair: CounterPair, databases: readonly DatabaseSize[]): MonitorStats {
  const { of } = pair.after
  const [requests, fromDisk] = [of('innodb_buffer_pool_read_requests'), of('innodb_buffer_pool_reads')]
  const [immediate, waited] = [of('table_locks_immediate'), of('table_locks_waited')]
  const [pages, free] = [of('innodb_buffer_pool_pages_total'), of('innodb_buffer_pool_pages_free')]
  return {
    stats: {
      queries_per_sec: rounded(perSecond(pair, 'questions')),
      connections: of('threads_connected'),
      threads_running: of('threads_running'),
      slow_queries: of('slow_queries'),
      aborted_connects: of('aborted_connects'),
      buffer_hit_rate: percentOf(requests - fromDisk, requests),
    },
    locks: {
      table_locks_immediate: immediate,
      table_locks_waited: waited,
      lock_ratio: percentOf(waited, immediate + waited),
    },
    engine: {
      buffer_pool_size: sizeText(of('innodb_buffer_pool_size')),
      buffer_pool_used_pct: percentOf(pages - free, pages),
      row_reads_per_sec: rounded(perSecond(pair, ...reads)),
      row_writes_per_sec: rounded(perSecond(pair, ...writes)),
      deadlocks: of('innodb_deadlocks'),
    },
    databases: databases.map(({ name, sizeBytes }) => ({
      name: name.slice(0, 64),
      size: sizeText(sizeBytes),
      size_bytes: sizeBytes,
    })),
  }
}

const rounded = (value: number): number => Math.round(value * 100) / 100
const percentOf = (part: number, whole: number): number =>
  whole <= 0 ? 0 : rounded((Math.max(0, part) / whole) * 100)
