import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { openCutConnections } from '../../../test/support/cut-connections.ts'
import { until } from '../../../test/support/until.ts'
import { type PostgresServer, startPostgresServer } from '../../../test/support/postgresql-server.ts'
import type { Migration } from '../../core/area.ts'
import { isDiskProblem } from '../disk-failures.ts'
import { restoreFolder, takeRestored } from '../restored.ts'
import { insertRow } from '../rows.ts'
import { openStore, type Store } from '../store.ts'
import { DatabaseInUse } from './failures.ts'
import { openPostgres } from './open.ts'

declare module '../tables.ts' {
  interface Tables {
    readonly jars: {
      readonly id: number
      readonly label: string
      readonly weight: number | null
      readonly note: string | null
    }
  }
}

const jars: Migration = {
  name: '202601010000-jars',
  statements: [
    'create table jars (id integer primary key, label text not null unique, weight integer, note text)',
  ],
}
const now = new Date('2026-01-02T03:04:05.678Z')
const jar = (id: number, label: string, weight: number | null = null) =>
  insertRow('jars', { id, label, weight, note: null })

let server: PostgresServer
let folder: string
let count = 0
before(async () => {
  server = await startPostgresServer()
  folder = mkdtempSync('/tmp/hostreeve-postgresql-store-')
})
after(async () => {
  await server.remove()
  rmSync(folder, { recursive: true })
})

async function freshDatabase(): Promise<string> {
  const name = `store_${(count += 1)}`
  await server.query('postgres', `create database ${name} template template0`)
  return name
}
const open = (databaseUrl?: string, dataDir?: string): Promise<Store> =>
  openStore({ migrations: [jars], now, ...(databaseUrl && { databaseUrl }), ...(dataDir && { dataDir }) })
const add = (store: Store, ...writes: readonly ReturnType<typeof jar>[]) =>
  store.transaction((tx) => store.write(tx, writes))
const labels = async (store: Store) =>
  (await store.db.selectFrom('jars').select('label').orderBy('id').execute()).map(({ label }) => label)

describe('a database on a server', () => {
  it('belongs to one panel: a second one is rejected until the first is closed', async () => {
    const url = `${server.url}/${await freshDatabase()}`
    const store = await open(url)
    const impatient = { databaseUrl: url, migrations: [jars], now, link: { lockMs: 200 } }
    await assert.rejects(openStore(impatient), DatabaseInUse)
    await add(store, jar(1, 'kept'))
    await store.close()
    const next = await open(url)
    assert.deepEqual(await labels(next), ['kept'])
    await next.close()
  })

  it('ends a panel whose place another one has taken, and takes nothing from it', async () => {
    const name = await freshDatabase()
    const connections = await openCutConnections(server.folder)
    const told: string[] = []
    const store = await openStore({
      databaseUrl: `${connections.url}/${name}`,
      migrations: [jars],
      now,
      link: { onOvertaken: ({ message }) => told.push(message) },
    })
    await add(store, jar(1, 'own'))
    connections.leadTo(undefined)
    const other = await open(`${server.url}/${name}`)
    await add(other, jar(2, 'of another'))
    await other.close()
    connections.leadTo(server.folder)
    await assert.rejects(add(store, jar(3, 'stale')), (error: Error) => {
      assert.match((error.cause as Error).message, /^Another panel has used the database meanwhile/)
      return true
    })
    assert.equal(told.length, 1)
    await store.close()
    await connections.close()
    assert.equal(await server.query(name, 'select max(id) from jars'), '2')
  })

  it('fails as a disk does while it cannot be reached, without an effect, and goes on once it can', async () => {
    const name = await freshDatabase()
    await (await open(`${server.url}/${name}`)).close()
    const connections = await openCutConnections(server.folder)
    const { db, repeating } = await openPostgres(`${connections.url}/${name}`, {
      patienceMs: 300,
      retryMs: 20,
    })
    const insert = () =>
      repeating(() => db.insertInto('jars').values({ id: 1, label: 'a', weight: 1, note: null }).execute())
    connections.leadTo(undefined)
    await assert.rejects(insert(), (error) => {
      assert.ok(isDiskProblem(error))
      assert.match(error.message, /^the database of the panel cannot be reached: /)
      return true
    })
    connections.leadTo(server.folder)
    await until(() => insert().catch(() => undefined))
    assert.equal(await server.query(name, 'select count(*) from jars'), '1')
    await db.destroy()
    await connections.close()
  })

  it('is refused with the reason of the server if the login or the database is wrong', async () => {
    await assert.rejects(
      open(`${server.url}/nowhere`),
      /^DatabaseUnusable: The database of HOSTREEVE_DATABASE_URL cannot be used: database "nowhere" does not exist$/,
    )
  })

  it('is refused where its texts have another encoding', async () => {
    await server.query(
      'postgres',
      "create database ascii template template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'",
    )
    await assert.rejects(
      open(`${server.url}/ascii`),
      /cannot be used: its encoding is SQL_ASCII: create it with/,
    )
  })

  it('reports a clock that is far ahead of its last write', async () => {
    const name = await freshDatabase()
    const isTrusted = async () => {
      const store = await open(`${server.url}/${name}`)
      try {
        return store.trustedNow() !== undefined
      } finally {
        await store.close()
      }
    }
    const before = await isTrusted()
    await server.query(name, "update panel_commits set at = '2020-01-01T00:00:00.000Z'")
    assert.deepEqual([before, await isTrusted()], [true, false])
  })

  it('loads the file of a restore at the next start, and what is in it alone', async () => {
    const dataDir = `${folder}/restored`
    const url = `${server.url}/${await freshDatabase()}`
    const store = await open(url, dataDir)
    await add(store, jar(1, 'in the backup'))
    mkdirSync(restoreFolder(dataDir))
    await store.copyTo(`${restoreFolder(dataDir)}/hostreeve.db`)
    await add(store, jar(2, 'since'))
    await store.close()
    const files = [{ name: 'hostreeve.db', path: `${dataDir}/hostreeve.db` }]
    writeFileSync(`${restoreFolder(dataDir)}/files.json`, JSON.stringify(files))
    takeRestored(dataDir)
    for (const more of [jar(3, 'after it'), jar(4, 'later')]) {
      const next = await open(url, dataDir)
      await add(next, more)
      await next.close()
    }
    const last = await open(url, dataDir)
    assert.deepEqual(await labels(last), ['in the backup', 'after it', 'later'])
    assert.equal(existsSync(`${dataDir}/hostreeve.db`), false)
    await last.close()
  })
})

describe('queries', () => {
  it('that are ordered by SQL of their own are refused, as where null comes is not known', async () => {
    const store = await open(`${server.url}/${await freshDatabase()}`)
    try {
      const ordered = store.db
        .selectFrom('jars')
        .select('id')
        .orderBy(sql`weight desc`)
      await assert.rejects(ordered.execute(), /^Error: Order by columns or functions of Kysely/)
    } finally {
      await store.close()
    }
  })

  const big = 2 ** 53 - 1
  const rows = [
    jar(1, 'b', null),
    jar(2, 'Ärger', big),
    jar(3, 'a_B', 7),
    jar(4, 'B', -1),
    insertRow('jars', { id: 5, label: '\u{1F980}', weight: null, note: "o'clock \\ %" }),
  ]
  const asked: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
    'order texts by their bytes': ({ db }) => db.selectFrom('jars').select('id').orderBy('label').execute(),
    'put null first': ({ db }) =>
      db.selectFrom('jars').select('id').orderBy('weight').orderBy('id').execute(),
    'put null last in a descending order': ({ db }) =>
      db.selectFrom('jars').select('id').orderBy('weight', 'desc').orderBy('id').execute(),
    'ignore the case of ASCII letters': ({ db }) =>
      db.selectFrom('jars').select('id').where('label', 'like', '%b%').orderBy('id').execute(),
    'ignore it in their own SQL': async ({ db }) =>
      (await sql`select id from jars where label like ${'ä%'} or label like ${'A%'} order by id`.execute(db))
        .rows,
    'take an empty list': ({ db }) => db.selectFrom('jars').select('id').where('id', 'in', []).execute(),
    'return numbers': async ({ db }) =>
      (
        await sql`select count(*) as count, sum(id) as sum, max(weight) as max, 1 = 1 as yes from jars`.execute(
          db,
        )
      ).rows,
    'return whole rows': ({ db }) => db.selectFrom('jars').selectAll().orderBy('id').execute(),
    'count what they change': async ({ db }) =>
      String(
        (await db.updateTable('jars').set({ note: 'x' }).where('id', '<', 3).executeTakeFirst())
          .numUpdatedRows,
      ),
    'name a value that is taken': (store) =>
      add(store, jar(9, 'b')).catch((error: Error) => (error.cause as Error).message),
  }
  for (const [title, ask] of Object.entries(asked))
    it(`${title}, on both stores alike`, async () => {
      const answers: unknown[] = []
      for (const url of [undefined, `${server.url}/${await freshDatabase()}`]) {
        const store = await open(url)
        await add(store, ...rows)
        answers.push(JSON.parse(JSON.stringify(await ask(store))))
        await store.close()
      }
      assert.deepEqual(answers[1], answers[0])
    })
})
