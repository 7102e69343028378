import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { sql } from 'kysely'
import { type CutConnections, openCutConnections } from '../../../test/support/cut-connections.ts'
import {
  type PostgresServer,
  startPostgresServer,
  urlOfSocket,
} from '../../../test/support/postgresql-server.ts'
import { until } from '../../../test/support/until.ts'
import { isDiskProblem, messageOf } from '../disk-failures.ts'
import { insertRow } from '../rows.ts'
import { openStore, type Store } from '../store.ts'
import type { LinkOptions } from './link-options.ts'

declare module '../tables.ts' {
  interface Tables {
    readonly lost_boxes: { readonly id: number; readonly label: string }
  }
}

const boxes = {
  name: '202601010000-boxes',
  statements: ['create table lost_boxes (id integer primary key, label text not null)'],
}

let server: PostgresServer
let connections: CutConnections
let database: string
let count = 0
let store: Store
before(async () => {
  server = await startPostgresServer()
})
after(() => server.remove())
beforeEach(async () => {
  connections = await openCutConnections(server.folder)
  database = `lost_${(count += 1)}`
  await server.query('postgres', `create database ${database} template template0`)
})
afterEach(async () => {
  await store.close()
  await connections.close()
})

const open = (url: string, link: Partial<LinkOptions> = {}) =>
  openStore({ databaseUrl: `${url}/${database}`, migrations: [boxes], now: new Date(), link })
const add = (id: number) =>
  store.transaction((tx) => store.write(tx, [insertRow('lost_boxes', { id, label: `box ${id}` })]))
const ids = async () =>
  (await store.db.selectFrom('lost_boxes').select('id').orderBy('id').execute()).map(({ id }) => id)
const backend = async () =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(store.db)).rows[0]?.pid
const askServer = (text: string) => server.query('postgres', text)
const sessions = (where: string) =>
  askServer(`select count(*) from pg_stat_activity where pid <> pg_backend_pid() and ${where}`)
const configure = async (text: string) => {
  await askServer(`alter system ${text}`)
  await askServer('select pg_reload_conf()')
}

/** Leads to a server, and replaces its answer to one commit by a message of an unknown type. */
async function garbleNextCommit(folder: string, target: string) {
  let isNext = false
  let count = 0
  const proxy = createServer((client) => {
    const upstream = createConnection(`${target}/.s.PGSQL.5432`)
    let isGarbled = false
    client.on('data', (bytes) => {
      if (isNext && bytes.includes('; commit\0')) {
        isNext = false
        isGarbled = true
      }
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (isGarbled) count += 1
      client.write(isGarbled ? Buffer.from('X\0\0\0\x04') : bytes)
      isGarbled = false
    })
    const end = () => [client, upstream].forEach((socket) => socket.destroy())
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end)
  })
  await new Promise<void>((resolve) => proxy.listen(`${folder}/.s.PGSQL.5432`, resolve))
  return {
    begin: () => void (isNext = true),
    count: () => count,
    close: () => new Promise((resolve) => proxy.close(resolve)),
  }
}

describe('the connection to the server', () => {
  it('is replaced where it leads nowhere, and the query is answered', async () => {
    store = await open(connections.url, { silentMs: 100 })
    await add(1)
    connections.mute()
    assert.deepEqual(await ids(), [1])
    connections.mute()
    await add(2)
    assert.deepEqual(await ids(), [1, 2])
  })

  it('is replaced where the answer to a commit cannot be read, and the commit is looked up', async () => {
    const folder = mkdtempSync('/tmp/hostreeve-garbled-')
    const garbling = await garbleNextCommit(folder, server.folder)
    store = await open(urlOfSocket(folder))
    garbling.begin()
    await add(1)
    assert.equal(garbling.count(), 1)
    assert.deepEqual(await ids(), [1])
    await store.close()
    await garbling.close()
    rmSync(folder, { recursive: true })
  })

  it('is replaced where its prepared statements are gone', async () => {
    store = await open(server.url)
    await add(1)
    await ids()
    await sql`deallocate all`.execute(store.db)
    await add(2)
    await sql`deallocate all`.execute(store.db)
    assert.deepEqual(await ids(), [1, 2])
  })

  it('is kept while the server works on a query, however long that takes', async () => {
    store = await open(connections.url, { silentMs: 20 })
    const first = await backend()
    await sql`select pg_sleep(1)`.execute(store.db)
    assert.equal(await backend(), first)
  })

  // each query would wait for a second otherwise
  it(
    'fails queries at once when it has been away for longer than they wait',
    { timeout: 90_000 },
    async () => {
      store = await open(connections.url, { patienceMs: 1000, retryMs: 20 })
      connections.leadTo(undefined)
      for (let number = 1; number <= 100; number++) await assert.rejects(ids(), isDiskProblem)
      connections.leadTo(server.folder)
      await until(() => ids().catch(() => undefined))
    },
  )

  it('gives its lock to the next panel where it ends amid a query', async () => {
    store = await open(connections.url)
    const sleeping = sql`select pg_sleep(3600)`.execute(store.db).catch(() => {})
    await until(async () => (await sessions("query like '%pg_sleep(3600)%'")) === '1')
    connections.leadTo(undefined)
    await (await open(server.url)).close()
    await store.close()
    await sleeping
  })

  it('is replaced where the server has become read-only', async () => {
    store = await open(connections.url)
    const first = await backend()
    await configure('set default_transaction_read_only = on')
    const isReadOnly = async () =>
      (
        await sql<{ is: string }>`select current_setting('default_transaction_read_only') as is`.execute(
          store.db,
        )
      ).rows[0]?.is === 'on'
    await until(isReadOnly)
    try {
      const added = add(1)
      await Promise.race([added, until(async () => (await sessions(`pid = ${first}`)) === '0')])
      await configure('reset default_transaction_read_only')
      await added
    } finally {
      await configure('reset default_transaction_read_only')
    }
    assert.deepEqual(await ids(), [1])
  })
})

describe('a start', () => {
  it('waits for the server longer than queries do, and tells each cause once', async () => {
    connections.leadTo(undefined)
    await configure('set default_transaction_read_only = on')
    const told: string[] = []
    try {
      const opening = open(connections.url, {
        startMs: 60_000,
        patienceMs: 1,
        retryMs: 20,
        onWaiting: (cause) => told.push(messageOf(cause)),
      })
      await until(() => told.length > 0)
      connections.leadTo(server.folder)
      await until(() => told.some((cause) => cause.startsWith('the server takes no writes')))
      await configure('reset default_transaction_read_only')
      store = await opening
    } finally {
      await configure('reset default_transaction_read_only')
    }
    assert.deepEqual([told.length, await ids()], [new Set(told).size, []])
  })

  it('does not wait where a right is missing, and tells the reason', async () => {
    store = await open(server.url)
    await askServer('create role guest login')
    const url = server.url.replace('postgres@', 'guest@')
    await store.close()
    await server.query(database, 'drop table panel_commits')
    const opening = open(url, { onWaiting: () => assert.fail('it waits') })
    await assert.rejects(opening, /^DatabaseUnusable: .*cannot be used: permission denied for schema public$/)
  })
})

describe('a commit that waits for a replica', () => {
  afterEach(() => configure('reset synchronous_standby_names'))

  const isHeld = (query: string) =>
    until(async () => (await sessions(`wait_event = 'SyncRep' and query like '${query}%'`)) !== '0').then(
      () => 'waits',
    )

  it('is not answered before the replica has it, also where its connection is lost', async () => {
    store = await open(connections.url, { silentMs: 50 })
    await configure("set synchronous_standby_names = '*'")
    let id = 0
    let added = Promise.resolve('')
    await until(async () => {
      added = add((id += 1)).then(() => 'answered')
      return (await Promise.race([added, isHeld('update panel_commits set mark')])) === 'waits'
    })
    connections.leadTo(server.folder)
    assert.equal(await Promise.race([added, isHeld('update panel_commits set at = at')]), 'waits')
    await configure('reset synchronous_standby_names')
    assert.equal(await added, 'answered')
    assert.equal((await ids()).at(-1), id)
  })
})
