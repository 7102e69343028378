import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { proveStep } from '../../../test/support/step-suite.ts'
import { identifier, sql, type SqlConnection } from '../../host/apply/steps.ts'
import { connect } from '../../host/connect/index.ts'
import { type ScratchMariadb, startMariadb } from '../../host/testing/scratch-mariadb.ts'
import { createDatabase, dropDatabase, findCollations, findDatabases } from './databases.ts'
import { readEndpoint } from './server-endpoint.ts'

let server: ScratchMariadb
before(async () => void (server = await startMariadb()))
after(() => server.stop())

const root = (): SqlConnection => connect.sql(server.target)
const args = { name: 'ann_shop', charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci' }
const machine = async () => {
  await root().run(sql`drop database if exists ann_shop`)
  return {}
}
const look = async () => (await findDatabases(root(), ['ann_shop'])).get('ann_shop')?.collation ?? null
const existing = async () => {
  await root().run(sql`drop database if exists ann_shop`)
  await root().run(sql`create database ann_shop character set latin1`)
}

proveStep<object>('mariadb.create-database', {
  machine,
  open: (_machine, door) => createDatabase(door(root())),
  look,
  cases: {
    'a new database': { args, wanted: 'utf8mb4_unicode_ci', handEdit: existing, refusedAfter: existing },
  },
})

proveStep<object>('mariadb.drop-database', {
  machine,
  open: (_machine, door) => dropDatabase(door(root())),
  look,
  withoutHandEdit: 'it is final',
  cases: { 'a database': { args: { name: 'ann_shop' }, arrange: existing, wanted: null } },
})

test('finds those that exist among more names than a statement takes, with their size, rows and tables', async () => {
  for (const name of ['ann_a', 'ann_b']) await root().run(sql`create database ${identifier(name)}`)
  await root().run(sql`create table ann_b.numbers engine = aria as select seq from mysql.seq_1_to_1000`)
  const names = ['ann_a', ...Array.from({ length: 200 }, (_, at) => `missing_${at}`), 'ann_b']
  const found = await findDatabases(root(), names)
  assert.deepEqual([...found.keys()], ['ann_a', 'ann_b'])
  assert.deepEqual(
    { ...found.get('ann_a'), charset: 0, collation: 0 },
    {
      ...{ name: 'ann_a', charset: 0, collation: 0 },
      ...{ sizeBytes: 0, rows: 0, tables: 0 },
    },
  )
  const { rows, tables, sizeBytes = 0 } = found.get('ann_b') ?? {}
  assert.deepEqual([rows, tables, sizeBytes > 1000], [1000, 1, true])
  assert.equal((await findDatabases(root(), [])).size, 0)
})

test('lists the default collation of a character set first', async () => {
  const latin = (await findCollations(root())).filter(({ charset }) => charset === 'latin1')
  assert.equal(latin[0]?.collation, 'latin1_swedish_ci')
  assert.ok(latin.length > 3)
})

test('tells where the server is reached', async () => {
  assert.deepEqual(await readEndpoint(root()), {
    port: null,
    socketPath: 'socketPath' in server.target.at ? server.target.at.socketPath : '',
    bindAddress: null,
  })
})
