import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { after, describe, it } from 'node:test'
import type { Migration } from '../core/area.ts'
import type { RowWrite } from '../core/change.ts'
import { withoutEffect } from '../core/deciding.ts'
import { DataDirectoryInUse } from './data-lock.ts'
import { ForeignKeyFile } from './key-check.ts'
import { NewerSchema } from './migrate.ts'
import { KeyFileMissing } from './secrets.ts'
import type { Store } from './store.ts'
import { isOnPostgres, openTestStore } from './testing/open-test-store.ts'

declare module './tables.ts' {
  interface Tables {
    readonly crates: { readonly id: number; readonly label: string; readonly revision: number }
  }
}

const crates: Migration = {
  name: '202601010000-crates',
  statements: [
    'create table crates (id integer primary key, label text not null, revision integer not null)',
  ],
}
const now = new Date('2026-01-02T03:04:05.678Z')
const root = mkdtempSync('/tmp/hostreeve-store-')
after(() => rmSync(root, { recursive: true }))

/** What concerns the file of the database has another test on PostgreSQL. */
const inFile = { skip: isOnPostgres && 'the database is on a server' }

let count = 0
const freshDir = () => `${root}/${(count += 1)}`
const open = (dataDir?: string, migrations: readonly Migration[] = [crates]) =>
  openTestStore({ migrations, now, ...(dataDir && { dataDir }) })
const add = (store: Store, id: number, label = 'a') =>
  store.transaction((tx) =>
    store.write(tx, [{ write: 'insert', table: 'crates', values: { id, label, revision: 1 } }]),
  )

describe('a transaction', () => {
  it('writes all or nothing', async () => {
    const store = await open()
    await assert.rejects(
      store.transaction(async (tx) => {
        await tx.insertInto('crates').values({ id: 1, label: 'a', revision: 1 }).execute()
        throw new Error('no')
      }),
      /no/,
    )
    assert.deepEqual(await store.db.selectFrom('crates').selectAll().execute(), [])
    await store.close()
  })

  it('is rejected and rolled back if something other than the store is awaited inside', async () => {
    const store = await open()
    await assert.rejects(
      store.transaction(async (tx) => {
        await tx.insertInto('crates').values({ id: 1, label: 'a', revision: 1 }).execute()
        await nextTurn()
      }),
      /Something other than the store was awaited/,
    )
    assert.deepEqual(await store.db.selectFrom('crates').selectAll().execute(), [])
    await store.close()
  })

  it('rejects a plain query and a second transaction inside, which would deadlock', async () => {
    const store = await open()
    await assert.rejects(
      store.transaction(async () => void (await store.db.selectFrom('crates').selectAll().execute())),
      /query through it/,
    )
    await assert.rejects(
      store.transaction(() => add(store, 1)),
      /query through it/,
    )
    await add(store, 2)
    assert.equal((await store.db.selectFrom('crates').select('id').execute()).length, 1)
    await store.close()
  })

  it('is rejected within a decision, and is possible again once that is over', async () => {
    const store = await open()
    const rule = /^Error: A decision writes to the store/
    await assert.rejects(
      withoutEffect(() => add(store, 1)),
      rule,
    )
    await assert.rejects(
      withoutEffect(() => store.db.deleteFrom('crates').execute()),
      rule,
    )
    const decided = Promise.withResolvers<void>()
    let left: Promise<unknown> | undefined
    await withoutEffect(async () => void (left = decided.promise.then(() => add(store, 2))))
    decided.resolve()
    await left
    assert.equal((await store.db.selectFrom('crates').select('id').execute()).length, 1)
    await store.close()
  })

  it('is rehearsed without a trace, also within a decision, and reports what it would meet', async () => {
    const store = await open()
    await add(store, 1)
    let told = 0
    store.onWritten(['crates'], () => told++)
    const insert = (id: number): RowWrite => ({
      write: 'insert',
      table: 'crates',
      values: { id, label: 'b', revision: 1 },
    })
    await withoutEffect(() => store.rehearse([insert(2)]))
    await assert.rejects(store.rehearse([insert(2), insert(1)]))
    const rows = await store.db.selectFrom('crates').select('id').execute()
    assert.deepEqual([rows.map(({ id }) => id), told], [[1], 0])
    await store.close()
  })

  it('lets a hundred others wait without reporting one of them as late', async () => {
    const store = await open()
    await Promise.all(Array.from({ length: 100 }, () => add(store, store.nextId('crates'))))
    const { total } = await store.db
      .selectFrom('crates')
      .select((row) => row.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    assert.equal(total, 100)
    await store.close()
  })

  it('notifies the listeners of the tables that it wrote after the commit, and no others', async () => {
    const store = await open()
    const told: string[] = []
    store.onWritten(['crates', 'others'], () => told.push('crates'))
    store.onWritten(['others'], () => told.push('others'))
    await add(store, 1)
    await assert.rejects(add(store, 1))
    assert.deepEqual(told, ['crates'])
    await store.close()
  })
})

describe('row writes', () => {
  it('fail with a conflict for a row whose revision has changed, and change nothing', async () => {
    const store = await open()
    await add(store, 1)
    const write = (revision: number) =>
      store.transaction((tx) =>
        store.write(tx, [
          {
            write: 'update',
            table: 'crates',
            where: { id: 1, revision },
            set: { label: 'b', revision: revision + 1 },
          },
        ]),
      )
    await write(1)
    await assert.rejects(write(1), {
      name: 'Problem',
      message: 'The resource has changed: read it again and retry',
    })
    assert.deepEqual(
      { ...(await store.db.selectFrom('crates').selectAll().executeTakeFirst()) },
      { id: 1, label: 'b', revision: 2 },
    )
    await store.close()
  })

  it('delete the selected rows, and none if none is selected', async () => {
    const store = await open()
    await add(store, 1)
    await store.transaction((tx) => store.write(tx, [{ write: 'delete', table: 'crates', where: { id: 9 } }]))
    assert.equal((await store.db.selectFrom('crates').select('id').execute()).length, 1)
    await store.transaction((tx) => store.write(tx, [{ write: 'delete', table: 'crates', where: { id: 1 } }]))
    assert.equal((await store.db.selectFrom('crates').select('id').execute()).length, 0)
    await assert.rejects(
      store.transaction((tx) => store.write(tx, [{ write: 'delete', table: 'crates', where: {} }])),
    )
    await store.close()
  })

  it('store quotes, newlines, emoji and SQL as plain values', async () => {
    const store = await open()
    const label = `'; drop table crates; -- "\n\u{1F980}`
    await add(store, 1, label)
    assert.equal((await store.db.selectFrom('crates').select('label').executeTakeFirst())?.label, label)
    await store.close()
  })
})

describe('identifiers', () => {
  it('are never assigned twice: not after a rollback, a deletion or a restart', async () => {
    const dir = freshDir()
    const store = await open(dir)
    const first = store.nextId('crates')
    await add(store, first)
    const second = store.nextId('crates')
    await assert.rejects(
      store.transaction(async (tx) => {
        await store.write(tx, [
          { write: 'insert', table: 'crates', values: { id: second, label: 'b', revision: 1 } },
        ])
        throw new Error('no')
      }),
    )
    const third = store.nextId('crates')
    await add(store, third)
    await store.transaction((tx) =>
      store.write(tx, [{ write: 'delete', table: 'crates', where: { id: third } }]),
    )
    await store.close()
    const again = await open(dir)
    assert.deepEqual([first, second, third, again.nextId('crates')], [1, 2, 3, 4])
    await again.close()
  })

  it('continue after an id that a row already has, as when a change is completed after a restart', async () => {
    const store = await open()
    await add(store, 7)
    assert.equal(store.nextId('crates'), 8)
    await store.close()
  })
})

describe('migrations', () => {
  const later: Migration = {
    name: '202601020000-colour',
    statements: ["alter table crates add column colour text not null default 'red'"],
  }

  it('run in the order of their names', async () => {
    const store = await open(undefined, [later, crates])
    const rows = await store.db.selectFrom('schema_migrations').select('name').orderBy('name').execute()
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['202601010000-crates', '202601020000-colour', '202611210000-sequences', '202611210001-key-check'],
    )
    await store.close()
  })

  it('copy a store that is not empty before they change it, and only then', async () => {
    const dir = freshDir()
    const copies = () => readdirSync(dir).filter((name) => name.startsWith('before-migration-'))
    for (const migrations of [[crates], [crates]]) await (await open(dir, migrations)).close()
    assert.deepEqual(copies(), [])
    await (await open(dir, [crates, later])).close()
    assert.deepEqual(copies(), ['before-migration-20260102030405678.db'])
    assert.equal(statSync(`${dir}/${copies()[0]}`).mode & 0o777, 0o600)
  })

  it(
    'keep one complete copy however often a failing upgrade is started, and change nothing',
    inFile,
    async () => {
      const dir = freshDir()
      const store = await open(dir)
      await add(store, 1, 'kept')
      await store.close()
      for (const end of ['', '.new', '.new-journal'])
        writeFileSync(`${dir}/before-migration-20250101000000000.db${end}`, 'half a copy of an earlier start')
      const broken: Migration = { name: '202601030000-broken', statements: ['create nonsense'] }
      for (const day of [3, 4, 5]) {
        const at = new Date(Date.UTC(2026, 0, day))
        await assert.rejects(
          openTestStore({ dataDir: dir, migrations: [crates, later, broken], now: at }),
          /nonsense/,
        )
      }
      const copies = readdirSync(dir).filter((name) => name.startsWith('before-migration'))
      assert.deepEqual(copies, ['before-migration-20260105000000000.db'])
      assert.deepEqual(contentOf(`${dir}/${copies[0]}`), { check: 'ok', labels: ['kept'], columns: 3 })
      assert.deepEqual(contentOf(`${dir}/hostreeve.db`), { check: 'ok', labels: ['kept'], columns: 3 })
    },
  )

  it('reject a store that a newer panel wrote, and leave it unchanged', async () => {
    const dir = freshDir()
    await (await open(dir, [crates, later])).close()
    await assert.rejects(
      open(dir, [crates]),
      (error) => error instanceof NewerSchema && /202601020000-colour/.test(error.message),
    )
    await (await open(dir, [crates, later])).close()
  })

  it('leave nothing of a migration that fails', async () => {
    const dir = freshDir()
    const broken: Migration = {
      name: '202601030000-broken',
      statements: ['create table halves (id integer)', 'create nonsense'],
    }
    await assert.rejects(open(dir, [crates, broken]))
    const store = await open(dir, [crates, { ...broken, statements: ['create table halves (id integer)'] }])
    await store.close()
  })

  it('reject a name without a time and one that is used twice', async () => {
    await assert.rejects(open(undefined, [{ name: 'crates', statements: [] }]), /name it YYYYMMDDhhmm-what/)
    await assert.rejects(open(undefined, [crates, crates]), /Two migrations are named/)
  })
})

function contentOf(file: string) {
  const database = new DatabaseSync(file, { readOnly: true })
  const check = database.prepare('pragma integrity_check').get()?.['integrity_check']
  const labels = database
    .prepare('select label from crates')
    .all()
    .map(({ label }) => label)
  const columns = database.prepare('pragma table_info(crates)').all().length
  database.close()
  return { check, labels, columns }
}

describe('a data directory', () => {
  it('belongs to one panel: a second one in this process is rejected until the first is closed', async () => {
    const dir = freshDir()
    const store = await open(dir)
    await assert.rejects(
      open(dir),
      (error) => error instanceof DataDirectoryInUse && error.message.includes(dir),
    )
    await store.close()
    await (await open(dir)).close()
  })

  it('belongs to one panel: a second process is rejected', async () => {
    const dir = freshDir()
    const store = await open(dir)
    const program = `import { openStore } from ${JSON.stringify(new URL('./store.ts', import.meta.url).href)}
      await openStore({ dataDir: ${JSON.stringify(dir)}, migrations: [], now: new Date() }).then(() => console.log('opened'), (error) => console.log(error.name))`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      timeout: 300_000,
    })
    assert.equal(stdout.trim(), 'DataDirectoryInUse')
    await store.close()
  })

  it('reports a clock that is far ahead of its last write; a new one trusts it', inFile, async () => {
    const dir = freshDir()
    const isTrusted = async (hoursSinceWritten?: number) => {
      if (hoursSinceWritten !== undefined) {
        const at = Date.now() / 1000 - hoursSinceWritten * 3600
        utimesSync(`${dir}/hostreeve.db`, at, at)
      }
      const store = await open(dir)
      try {
        return store.trustedNow() !== undefined
      } finally {
        await store.close()
      }
    }
    assert.deepEqual(
      [await isTrusted(), await isTrusted(23), await isTrusted(400 * 24), await isTrusted(-24)],
      [true, true, false, true],
    )
  })

  it('is private: only the panel can read the key, the database and the directory', inFile, async () => {
    const dir = freshDir()
    const store = await open(dir)
    const modes = ['', '/secret.key', '/hostreeve.db', '/hostreeve.db-wal'].map(
      (name) => statSync(`${dir}${name}`).mode & 0o777,
    )
    assert.deepEqual(modes, [0o700, 0o600, 0o600, 0o600])
    await store.close()
  })

  it('keeps its key: secrets sealed before a restart can be read after it', async () => {
    const dir = freshDir()
    const store = await open(dir)
    const sealed = store.seal('s3cret')
    await store.close()
    const again = await open(dir)
    assert.equal(again.unseal(sealed), 's3cret')
    await again.close()
  })

  it('refuses to create a new key if a store sealed with the lost one exists', async () => {
    const dir = freshDir()
    await (await open(dir)).close()
    rmSync(`${dir}/secret.key`)
    await assert.rejects(open(dir), (error) => error instanceof KeyFileMissing)
    writeFileSync(`${dir}/secret.key`, 'short')
    await assert.rejects(open(dir), /does not contain a key of 32 bytes.*: restore it from a backup/)
    writeFileSync(`${dir}/secret.key`, '')
    await assert.rejects(open(dir), /secret\.key is empty.*: restore it from a backup/)
  })

  it('rejects a valid key file that is not its own, and changes nothing', async () => {
    const [dir, other] = [freshDir(), freshDir()]
    for (const each of [dir, other]) await (await open(each)).close()
    const own = readFileSync(`${dir}/secret.key`)
    copyFileSync(`${other}/secret.key`, `${dir}/secret.key`)
    const upgrade: Migration = { name: '202601020000-lids', statements: ['create table lids (id integer)'] }
    await assert.rejects(open(dir, [crates, upgrade]), (error) => {
      assert.ok(error instanceof ForeignKeyFile)
      assert.match(error.message, /^The key file \S+ is not the one .*: restore the right one from a backup$/)
      return true
    })
    writeFileSync(`${dir}/secret.key`, own)
    await (await open(dir, [crates])).close() // the store was not upgraded meanwhile
  })

  it('replaces the empty key file, also with an empty store, that a first start on a full disk left', async () => {
    for (const left of [['secret.key'], ['secret.key', 'hostreeve.db']]) {
      const dir = freshDir()
      mkdirSync(dir)
      for (const name of left) writeFileSync(`${dir}/${name}`, '')
      await (await open(dir)).close()
      assert.equal(Buffer.from(readFileSync(`${dir}/secret.key`, 'utf8').trim(), 'base64url').length, 32)
    }
  })

  it('states what to do about a damaged key file with which nothing was sealed', async () => {
    const dir = freshDir()
    mkdirSync(dir)
    writeFileSync(`${dir}/secret.key`, 'AAAA')
    await assert.rejects(
      open(dir),
      /does not contain a key of 32 bytes: remove it, and the panel creates a new one/,
    )
  })
})
