import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statisticsOf } from './statistics.ts'

const counters = (at: number, values: Readonly<Record<string, number>>) => ({
  at,
  of: (name: string) => values[name] ?? 0,
})

test('computes rates from two readings, and ratios from the last one', () => {
  const before = counters(100, {
    questions: 1000,
    handler_read_next: 50,
    handler_read_key: 5,
    handler_write: 7,
  })
  const after = counters(104, {
    questions: 1010,
    handler_read_next: 150,
    handler_read_key: 25,
    handler_write: 8,
    handler_update: 1,
    threads_connected: 3,
    threads_running: 2,
    slow_queries: 4,
    aborted_connects: 5,
    innodb_buffer_pool_read_requests: 1000,
    innodb_buffer_pool_reads: 25,
    innodb_buffer_pool_pages_total: 400,
    innodb_buffer_pool_pages_free: 100,
    innodb_buffer_pool_size: 134_217_728,
    innodb_deadlocks: 6,
    table_locks_immediate: 99,
    table_locks_waited: 1,
  })
  assert.deepEqual(statisticsOf({ before, after }, [{ name: 'shop', sizeBytes: 1536 }]), {
    stats: {
      queries_per_sec: 2.5,
      connections: 3,
      threads_running: 2,
      slow_queries: 4,
      aborted_connects: 5,
      buffer_hit_rate: 97.5,
    },
    locks: { table_locks_immediate: 99, table_locks_waited: 1, lock_ratio: 1 },
    engine: {
      buffer_pool_size: '128 MiB',
      buffer_pool_used_pct: 75,
      row_reads_per_sec: 30,
      row_writes_per_sec: 0.5,
      deadlocks: 6,
    },
    databases: [{ name: 'shop', size: '1.5 KiB', size_bytes: 1536 }],
  })
})
