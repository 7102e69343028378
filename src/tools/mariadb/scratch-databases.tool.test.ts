import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { KeyedMutex } from '../../core/keyed-mutex.ts'
import { sql } from '../../host/apply/steps.ts'
import { connect } from '../../host/connect/index.ts'
import { asOwner, type Bench, makeBench, skip } from '../../host/owner/testing/homes.ts'
import { type ScratchMariadb, startMariadb } from '../../host/testing/scratch-mariadb.ts'
import { openScratchDatabases } from './scratch-databases.ts'

let server: ScratchMariadb
let bench: Bench
before(async () => {
  server = await startMariadb()
  bench = makeBench()
})
after(async () => {
  await bench.remove()
  await server.stop()
})

const root = () => connect.sql(server.target)
const open = () =>
  openScratchDatabases({
    socketPath: 'socketPath' in server.target.at ? server.target.at.socketPath : '',
    connection: root(),
    session: connect.session(server.target),
    active: new Set(),
    alone: new KeyedMutex(),
  })
const load = (text: string) => {
  asOwner(bench.alice, 'sh', '-c', `mkdir -p db; cat > dump.sql <<'END'\n${text}\nEND`)
  const signal = new AbortController().signal
  const encoding = { charset: 'utf8mb4', collation: 'utf8mb4_bin' }
  const owner = bench.owners.of(bench.alice)
  return open().verbs.rehearse({ label: '7', owner, path: 'dump.sql', ...encoding, signal })
}
const left = async () => [
  ...(await root().run(
    sql`select schema_name as name from information_schema.schemata where schema_name like 'hostreeve%'`,
  )),
  ...(await root().run(sql`select User as name from mysql.user where User like 'hostreeve%'`)),
]

test('a dump is loaded into a database of its own, which is removed', { skip }, async () => {
  const tables = await load(
    'create table orders (a int); insert into orders values (1), (2); create view seen as select a from orders;',
  )
  assert.deepEqual(
    tables.map(({ name, rows }) => [name, rows]),
    [
      ['orders', 2],
      ['seen', null],
    ],
  )
  assert.deepEqual(await left(), [])
})

test('a dump that fails, or reaches for another database, leaves nothing', { skip }, async () => {
  await root().run(sql`create or replace database ada_shop`)
  await root().run(sql`create table ada_shop.orders (a int)`)
  for (const text of ['create table half (a int); bad;', 'insert into ada_shop.orders values (1);'])
    await assert.rejects(load(text))
  assert.deepEqual(await left(), [])
  assert.deepEqual(await root().run(sql`select a from ada_shop.orders`), [])
})

test('what a killed panel left is removed, and no other database', { skip }, async () => {
  await root().run(sql`create or replace database hostreeve_drill_7`)
  await root().run({ parts: ['create database `hostreeve:drill:7`'], values: [] })
  await root().run({ parts: ['create database `hostreeve:drill:8`'], values: [] })
  await root().run({ parts: ["create user `hostreeve:hostreeve:drill:8`@'localhost'"], values: [] })
  await open().removeLeft()
  assert.deepEqual(await left(), [{ name: 'hostreeve_drill_7' }])
  await root().run(sql`drop database hostreeve_drill_7`)
})
