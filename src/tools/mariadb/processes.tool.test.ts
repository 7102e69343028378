import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createConnection } from 'mysql2/promise'
import { stepRun } from '../../../test/support/step-run.ts'
import { poll } from '../../core/poll.ts'
import { connectSql } from '../../host/connect/sql.ts'
import { type ScratchMariadb, startMariadb } from '../../host/testing/scratch-mariadb.ts'
import { killBusy, killProcess } from './kill.ts'
import { listProcesses, type SqlProcess } from './processes.ts'

let server: ScratchMariadb
before(async () => void (server = await startMariadb()))
after(() => server.stop())

async function client() {
  const { at, user } = server.target
  if (!('socketPath' in at)) throw new Error('the scratch server has a socket')
  const connection = await createConnection({ socketPath: at.socketPath, user })
  connection.on('error', () => {}) // it is ended from outside
  return connection
}

const find = async (id: number, isThere: (process: SqlProcess) => boolean) => {
  const found = await poll(
    async () =>
      (await listProcesses(connectSql(server.target))).find((each) => each.id === id && isThere(each)),
    { limitMs: 60_000, everyMs: 50 },
  )
  assert.ok(found, `no connection ${id} of that kind`)
  return found
}

test('tells who holds the lock that another waits for, and ends that one alone', async () => {
  const [holder, waiter] = [await client(), await client()]
  await holder.query('create database shop')
  await holder.query('create table shop.items (id int primary key, n int) engine = innodb')
  await holder.query('insert into shop.items values (1, 0)')
  await holder.query('begin')
  await holder.query('update shop.items set n = 1 where id = 1')
  const waiting = waiter.query("update shop.items set n = 2 where id = 1 -- 'é'\n")
  const seen = await find(waiter.threadId, ({ blockedBy }) => blockedBy.length > 0)
  assert.deepEqual(seen.blockedBy, [holder.threadId])
  assert.deepEqual([seen.user, seen.command, seen.db], ['root', 'Query', null])
  assert.match(seen.info ?? '', /^update shop\.items set n = 2 where id = 1 -- 'é'/)
  const kind = killProcess(connectSql(server.target))
  const before = await kind.observe({ id: holder.threadId })
  assert.equal(await kind.check({ id: holder.threadId }, before), 'before')
  await kind.act({ id: holder.threadId }, stepRun(before))
  await waiting
  assert.equal(await kind.check({ id: holder.threadId }, before), 'wanted')
  await assert.rejects(kind.act({ id: 99_999 }, stepRun(before)), /99999 has ended/)
  const [rows] = await waiter.query('select n from shop.items')
  assert.deepEqual(rows, [{ n: 2 }])
  waiter.destroy()
})

test('ends what runs; a client that sleeps stays, as does a connection of the panel', async () => {
  const [busy, idle] = [await client(), await client()]
  const ended = assert.rejects(busy.query('select sleep(600)'))
  const own = connectSql({ ...server.target, timeoutMs: 600_000 })
  const [run, counts] = [own.run.bind(own), () => own.openIds?.() ?? new Set<number>()]
  const sleeping = run({ parts: ['select sleep(600) as own'], values: [] })
  const ownId = await poll(async () => [...counts()][0], { limitMs: 60_000, everyMs: 10 })
  assert.ok(ownId)
  await find(busy.threadId, ({ command }) => command === 'Query')
  await find(ownId, ({ command }) => command === 'Query')
  const { killed } = await killBusy(own).act(null, stepRun(null))
  assert.equal(killed, 1)
  await ended
  assert.deepEqual((await idle.query('select 1 as one'))[0], [{ one: 1 }])
  assert.ok(counts().has(ownId))
  await idle.query(`kill ${ownId}`)
  await assert.rejects(sleeping)
  idle.destroy()
})
