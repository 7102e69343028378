import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adviceFor, type TunerFigures } from './advice.ts'

const gib = 1024 ** 3
const variables: Readonly<Record<string, string>> = {
  innodb_buffer_pool_size: '134217728',
  innodb_log_buffer_size: '16777216',
  max_connections: '151',
  max_heap_table_size: '16777216',
  slow_query_log: 'ON',
  table_open_cache: '2000',
  thread_cache_size: '64',
  tmp_table_size: '16777216',
}

interface Load {
  readonly status?: Readonly<Record<string, number>>
  readonly variables?: Readonly<Record<string, string>>
  readonly memoryBytes?: number
  readonly dataBytes?: number
}

const figures = ({ status = {}, memoryBytes = 4 * gib, dataBytes = 0, ...load }: Load): TunerFigures => ({
  status: (name) => status[name] ?? 0,
  variable: (name) => ({ ...variables, ...load.variables })[name] ?? '',
  memoryBytes,
  dataBytes,
})
const named = (load: Load) => adviceFor(figures(load)).map(({ name, suggested }) => `${name} = ${suggested}`)

test('has no advice for a server that copes', () => {
  assert.deepEqual(adviceFor(figures({})), [])
})

for (const [title, load, expected] of [
  ['data that outgrew the buffer pool', { dataBytes: gib }, ['innodb_buffer_pool_size = 1342177280']],
  ['more data than memory: half of it', { dataBytes: 100 * gib }, ['innodb_buffer_pool_size = 2147483648']],
  ['a host without memory to give', { dataBytes: gib, memoryBytes: 0.2 * gib }, []],
  ['connections in use', { status: { max_used_connections: 140 } }, ['max_connections = 230']],
  [
    'temporary tables on the disk',
    { status: { created_tmp_tables: 200, created_tmp_disk_tables: 100 } },
    ['tmp_table_size = 33554432', 'max_heap_table_size = 33554432'],
  ],
  [
    'the smaller one of two limits, which alone counts',
    {
      status: { created_tmp_tables: 200, created_tmp_disk_tables: 100 },
      variables: { max_heap_table_size: '67108864' },
    },
    ['tmp_table_size = 33554432'],
  ],
  ['few temporary tables', { status: { created_tmp_tables: 9, created_tmp_disk_tables: 9 } }, []],
  [
    'a full cache of tables',
    { status: { open_tables: 2000, opened_tables: 9000 } },
    ['table_open_cache = 4000'],
  ],
  ['new threads', { status: { threads_created: 500, connections: 2000 } }, ['thread_cache_size = 128']],
  ['waits for the redo log', { status: { innodb_log_waits: 3 } }, ['innodb_log_buffer_size = 33554432']],
  ['slow statements that nobody sees', { variables: { slow_query_log: 'OFF' } }, ['slow_query_log = ON']],
] as const)
  test(`has advice for ${title}, with the figure behind it`, () => {
    assert.deepEqual(named(load), expected)
    for (const { reason, figure } of adviceFor(figures(load))) {
      assert.match(reason, /\w/)
      assert.equal(typeof figure.value, 'number')
    }
  })
