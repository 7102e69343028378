import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type PostgresServer, startPostgresServer } from '../../../test/support/postgresql-server.ts'
import { copyStore } from '../copying/copy-store.ts'
import { loadIntoPostgres, lockedBy } from '../copying/to-postgres.ts'
import { differencesTo } from '../differences.ts'
import { restoreFolder, takeRestored } from '../restored.ts'
import { insertRow } from '../rows.ts'
import { openStore, type Store } from '../store.ts'
import { tolerateMigrations } from '../tolerated.ts'

declare module '../tables.ts' {
  interface Tables {
    readonly moved_crates: { readonly id: number; readonly label: string; readonly weight: number }
  }
}

const crates = {
  name: '202601010000-crates',
  statements: ['create table moved_crates (id integer primary key, label text not null)'],
}
const weights = {
  name: '202602010000-weights',
  statements: ['alter table moved_crates add column weight integer not null default 0'],
}
const now = new Date('2026-01-02T03:04:05.678Z')

let server: PostgresServer
let folder: string
let count = 0
/** The data directory and the database of a test. */
let dataDir: string
let databaseUrl: string
before(async () => {
  server = await startPostgresServer()
  folder = mkdtempSync('/tmp/hostreeve-postgresql-moves-')
})
after(async () => {
  await server.remove()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  dataDir = freshFolder()
  databaseUrl = await freshDatabase()
})

function freshFolder(): string {
  const path = `${folder}/${(count += 1)}`
  mkdirSync(path)
  return path
}
async function freshDatabase(): Promise<string> {
  const name = `moves_${(count += 1)}`
  await server.query('postgres', `create database ${name} template template0`)
  return `${server.url}/${name}`
}

/** Works with a store, and closes it. */
async function within<Value>(
  options: Partial<Parameters<typeof openStore>[0]>,
  work: (store: Store) => Value | Promise<Value>,
): Promise<Value> {
  const store = await openStore({ migrations: [crates, weights], now, ...options })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
const add = (values: object) => (store: Store) =>
  store.transaction((tx) => store.write(tx, [insertRow('moved_crates', { ...values } as never)]))
const all = async (store: Store) =>
  (await store.db.selectFrom('moved_crates').selectAll().orderBy('id').execute()).map((row) => ({ ...row }))
const nothing = () => {}

/** A folder with a copy of the store of a data directory, as a backup contains it. */
async function backupOf(
  from: Partial<Parameters<typeof openStore>[0]> & { readonly dataDir: string },
): Promise<string> {
  const to = freshFolder()
  await within(from, (store) => store.copyTo(`${to}/hostreeve.db`))
  copyFileSync(`${from.dataDir}/secret.key`, `${to}/secret.key`)
  return to
}

/** Has the next start of a panel take the files of a backup. */
function restore(backup: string, into: string): void {
  const names = ['hostreeve.db', 'secret.key']
  mkdirSync(restoreFolder(into))
  for (const name of names) copyFileSync(`${backup}/${name}`, `${restoreFolder(into)}/${name}`)
  const files = names.map((name) => ({ name, path: `${into}/${name}` }))
  writeFileSync(`${restoreFolder(into)}/files.json`, JSON.stringify(files))
  takeRestored(into)
}

describe('a data directory whose store is on a server', () => {
  it('is not opened without the address, and nothing is created in it', async () => {
    await within({ dataDir, databaseUrl }, nothing)
    await assert.rejects(
      within({ dataDir }, nothing),
      /^StoreElsewhere: The store of this panel is on a PostgreSQL server: set HOSTREEVE_DATABASE_URL/,
    )
    assert.equal(existsSync(`${dataDir}/hostreeve.db`), false)
  })

  it('is not opened with the address of an empty database', async () => {
    await within({ dataDir, databaseUrl }, nothing)
    const empty = { dataDir, databaseUrl: await freshDatabase() }
    await assert.rejects(
      within(empty, nothing),
      /^DatabaseEmpty: The database of HOSTREEVE_DATABASE_URL is empty, but .*\/secret\.key is the key of a store/,
    )
    assert.equal(await server.query(`moves_${count}`, "select to_regclass('key_check') is null"), 't')
  })

  it('is opened in SQLite again once the store is copied back, without the journal of its former file', async () => {
    await within({ dataDir, databaseUrl }, add({ id: 1, label: 'kept', weight: 1 }))
    writeFileSync(`${dataDir}/hostreeve.db-wal`, 'of a former file')
    await copyStore(
      { dataDir, databaseUrl, migrations: [crates, weights], now },
      { file: `${dataDir}/hostreeve.db` },
    )
    assert.equal(existsSync(`${dataDir}/hostreeve.db-wal`), false)
    assert.deepEqual(await within({ dataDir }, all), [{ id: 1, label: 'kept', weight: 1 }])
  })
})

describe('a rollback of the panel', () => {
  /** An update to the second migration, and the return to the first. */
  const updateAndReturn = async () => {
    await within({ dataDir, databaseUrl }, nothing)
    tolerateMigrations(dataDir)
  }
  const former = { migrations: [crates] }

  it('starts the former version also where the file of before the move is still there', async () => {
    await within({ dataDir, ...former }, nothing)
    await copyStore({ dataDir, ...former, now }, { url: databaseUrl })
    assert.ok(existsSync(`${dataDir}/hostreeve.db`))
    await updateAndReturn()
    await within({ dataDir, databaseUrl, ...former }, nothing)
  })

  it('leaves copies that a newer version brings up to date', async () => {
    await updateAndReturn()
    await within({ dataDir, databaseUrl, ...former }, add({ id: 1, label: 'a' }))
    const to = freshFolder()
    await within({ dataDir, databaseUrl, ...former }, (store) => store.copyTo(`${to}/hostreeve.db`))
    copyFileSync(`${dataDir}/secret.key`, `${to}/secret.key`)
    assert.deepEqual(await within({ dataDir: to }, all), [{ id: 1, label: 'a', weight: 0 }])
  })

  it('lets the former version neither move the store nor restore one, as it does not know all of it', async () => {
    await updateAndReturn()
    await assert.rejects(
      copyStore({ dataDir, databaseUrl, ...former, now }, { file: `${folder}/moved.db` }),
      /^NewerSchema: .*202602010000-weights/,
    )
    const backup = await backupOf({ dataDir: freshFolder(), ...former })
    await assert.rejects(
      within({ dataDir, databaseUrl, ...former }, (store) => store.tryOpening(backup)),
      /^NewerSchema: .*202602010000-weights/,
    )
  })
})

describe('the differences to a copy', () => {
  const differences = (store: Store, file: string) => differencesTo(store, file, ['moved_crates'])

  it('are told after a rollback of the panel, also where the database has views', async () => {
    await within({ dataDir, databaseUrl }, nothing)
    await server.query(databaseUrl.split('/').at(-1) ?? '', 'create view seen as select 1 as one')
    tolerateMigrations(dataDir)
    const file = `${freshFolder()}/copy.db`
    await within({ dataDir, databaseUrl, migrations: [crates] }, async (store) => {
      await add({ id: 1, label: 'a' })(store)
      await store.copyTo(file)
      assert.deepEqual(await differences(store, file), [])
      await store.db.updateTable('moved_crates').set({ label: 'b' }).execute()
      assert.deepEqual(
        (await differences(store, file))?.map(({ key, former }) => [key, { ...former }]),
        [[{ id: 1 }, { id: 1, label: 'a' }]],
      )
    })
  })

  it('are not told where the panel has migrated the store since', async () => {
    const file = `${freshFolder()}/copy.db`
    await within({ dataDir, databaseUrl, migrations: [crates] }, (store) => store.copyTo(file))
    assert.equal(await within({ dataDir, databaseUrl }, (store) => differences(store, file)), undefined)
  })
})

describe('a database with an extension', () => {
  it('takes the store, as long as no tables are where those of the store go', async () => {
    await within({ dataDir }, add({ id: 1, label: 'a', weight: 1 }))
    const name = databaseUrl.split('/').at(-1) ?? ''
    await server.query(
      name,
      'create view seen as select 1 as one; create schema other; create table other.parts (id integer)',
    )
    await copyStore({ dataDir, migrations: [crates, weights], now }, { url: databaseUrl })
    assert.equal(await server.query(name, 'select count(*) from moved_crates'), '1')
  })

  it('is refused where it has tables of others there', async () => {
    await within({ dataDir }, nothing)
    await server.query(databaseUrl.split('/').at(-1) ?? '', 'create table parts (id integer)')
    await assert.rejects(
      copyStore({ dataDir, migrations: [crates, weights], now }, { url: databaseUrl }),
      /^Error: The database contains other tables/,
    )
  })
})

describe('a restore on a server', () => {
  it('replaces nothing where the connection that had the lock is gone', async () => {
    const origin = freshFolder()
    await within({ dataDir: origin }, add({ id: 1, label: 'restored', weight: 1 }))
    await within({ dataDir, databaseUrl }, async (store) => {
      await add({ id: 2, label: 'present', weight: 3 })(store)
      const database = new DatabaseSync(`${origin}/hostreeve.db`)
      const lockPid = await lockedBy(store.db)
      await assert.rejects(loadIntoPostgres(database, databaseUrl, 0), /the lock of the database was lost$/)
      assert.deepEqual(await all(store), [{ id: 2, label: 'present', weight: 3 }])
      await loadIntoPostgres(database, databaseUrl, lockPid)
      database.close()
      assert.deepEqual(await all(store), [{ id: 1, label: 'restored', weight: 1 }])
    })
  })

  it('may be stored already where its commit is not answered, and is loaded again at the next start', async () => {
    const origin = freshFolder()
    await within({ dataDir: origin }, add({ id: 1, label: 'restored', weight: 1 }))
    const backup = await backupOf({ dataDir: origin })
    await within({ dataDir, databaseUrl }, add({ id: 2, label: 'present', weight: 3 }))
    const name = databaseUrl.split('/').at(-1) ?? ''
    await server.query(
      name,
      `create function end_session() returns trigger language plpgsql
        as 'begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(3600); return null; end';
      create constraint trigger ends after insert on moved_crates deferrable initially deferred
        for each row execute function end_session()`,
    )
    restore(backup, dataDir)
    await assert.rejects(within({ dataDir, databaseUrl }, nothing), ({ message }: Error) => {
      assert.match(message, /whose rows may be those of the restore already: .*\. Start again: /)
      assert.doesNotMatch(message, /remove the file/)
      return true
    })
    await server.query(name, 'drop trigger ends on moved_crates')
    assert.deepEqual(await within({ dataDir, databaseUrl }, all), [{ id: 1, label: 'restored', weight: 1 }])
  })

  it('takes texts and numbers that SQLite contains and PostgreSQL does not, as it would have stored them', async () => {
    const origin = freshFolder()
    await within({ dataDir: origin }, add({ id: 1, label: 'a\0b', weight: 1.5 }))
    const backup = await backupOf({ dataDir: origin })
    await within({ dataDir, databaseUrl }, (store) => store.tryOpening(backup))
    restore(backup, dataDir)
    assert.deepEqual(await within({ dataDir, databaseUrl }, all), [{ id: 1, label: 'a\uFFFDb', weight: 2 }])
  })

  it('is refused when it is asked for where a row cannot be stored, and changes nothing', async () => {
    const origin = freshFolder()
    await within({ dataDir: origin }, add({ id: 1, label: 'a', weight: 'heavy' }))
    const backup = await backupOf({ dataDir: origin })
    await within({ dataDir, databaseUrl }, async (store) => {
      await add({ id: 2, label: 'present', weight: 3 })(store)
      await assert.rejects(
        store.tryOpening(backup),
        /^Error: The table moved_crates cannot be copied: invalid input syntax for type bigint: "heavy"$/,
      )
      assert.deepEqual(await all(store), [{ id: 2, label: 'present', weight: 3 }])
    })
  })
})
