import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { identifier, sql, type SqlConnection } from '../../host/apply/steps.ts'
import { connectSql } from '../../host/connect/sql.ts'
import { run } from '../../host/run.ts'
import { type ScratchMariadb, startMariadb } from '../../host/testing/scratch-mariadb.ts'
import { isSameValue, readConfigured } from './configured.ts'
import { isDynamic } from './set-options.ts'
import { listDatabaseSizes, openCounterPairs, perSecond, readCounters } from './statistics.ts'
import { readRunning } from './variables.ts'

let server: ScratchMariadb
let connection: SqlConnection
let folder: string
before(async () => {
  folder = mkdtempSync('/tmp/hostreeve-options-')
  server = await startMariadb()
  connection = connectSql(server.target)
})
after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const candidate = (text: string): string => {
  writeFileSync(`${folder}/candidate.cnf`, text)
  return `${folder}/candidate.cnf`
}

test('reads options as the server does, those of a candidate last', async () => {
  const options = '[mysqld]\nmax-connections = 77\nread_only\nbind-address = *\nlong_query_time=0.5\n'
  const { values } = await readConfigured(run, candidate(options))
  assert.deepEqual(
    ['max_connections', 'read_only', 'bind_address', 'long_query_time', 'datadir'].map((name) =>
      values.get(name),
    ),
    ['77', 'ON', '*', '0.5', '/var/lib/mysql/'],
  )
})

test('quotes the server where it refuses an option, and where it adjusts one', async () => {
  await assert.rejects(readConfigured(run, candidate('[mysqld]\nmax_conections = 5\n')), {
    message: /unknown variable 'max_conections=5'/,
  })
  await assert.rejects(readConfigured(run, candidate('nonsense\n')), /without preceding group/)
  const { warnings } = await readConfigured(run, candidate('[mysqld]\nmax_connections = 10000000\n'))
  assert.match(warnings.join('\n'), /'max_connections': unsigned value 10000000 adjusted to 100000/)
})

for (const [name, value] of [
  ['innodb_buffer_pool_size', 16_777_216],
  ['long_query_time', 0.5],
  ['max_connections', 99],
  ['max_heap_table_size', 33_554_432],
  ['read_only', 'ON'],
  ['read_only', 'OFF'],
  ['slow_query_log_file', 'other-slow.log'],
  ['slow_query_log', 'ON'],
  ['table_open_cache', 400],
  ['thread_cache_size', 9],
  ['tmp_table_size', 33_554_432],
] as const)
  test(`sets ${name} to ${value} without a restart`, async () => {
    assert.ok(isDynamic(name))
    await connection.run(sql`set global ${identifier(name)} = ${value}`)
    const now = (await readRunning(connection, ['port', name])).get(name) ?? ''
    assert.ok(isSameValue(now, String(value)), now)
  })

test('counts what happens between two readings', async () => {
  const read = openCounterPairs(connection)
  const { signal } = new AbortController()
  const first = await read(signal)
  assert.ok(first.after.at - first.before.at >= 1)
  assert.ok(first.after.of('innodb_buffer_pool_size') > 0)
  for (const name of [
    'questions',
    'handler_read_rnd_next',
    'innodb_buffer_pool_read_requests',
    'innodb_buffer_pool_pages_total',
    'table_locks_immediate',
    'threads_connected',
    'uptime',
  ])
    assert.ok(first.after.of(name) > 0, name)
  const before = await readCounters(connection)
  await connection.run(sql`create database shop`)
  await connection.run(sql`create table shop.items (id int primary key) engine = innodb`)
  await connection.run(sql`insert into shop.items select seq from mysql.seq_1_to_1000`)
  const second = await readCounters(connection)
  assert.ok(perSecond({ before, after: second }, 'handler_write') * (second.at - before.at) >= 999)
  const [largest, ...rest] = await listDatabaseSizes(connection)
  assert.deepEqual([largest?.name, rest], ['shop', []])
  assert.ok((largest?.sizeBytes ?? 0) > 0)
})
