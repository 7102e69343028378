import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { differencesTo, writesTo } from './differences.ts'
import type { Store } from './store.ts'
import { openTestStore } from './testing/open-test-store.ts'

const shop = {
  name: '202601010000-shop',
  statements: [
    'create table shelves (id integer primary key, name text not null, revision integer not null)',
    'create table goods (id integer primary key, shelf_id integer not null references shelves (id), price integer)',
  ],
}

describe('the differences to a copy of the store', () => {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-differences-`)
  const copy = `${folder}/copy.db`
  let store: Store
  before(async () => {
    store = await openTestStore({ migrations: [shop], now: new Date() })
    await sql`insert into shelves values (1, 'one', 3), (2, 'two', 1)`.execute(store.db)
    await sql`insert into goods values (10, 1, 5), (11, 2, null)`.execute(store.db)
    await store.copyTo(copy)
  })
  after(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const tables = ['shelves', 'goods']
  const rowsOf = async (table: string) =>
    (await sql`select * from ${sql.table(table)} order by id`.execute(store.db)).rows

  test('are none at first', async () => {
    assert.deepEqual(await differencesTo(store, copy, tables), [])
  })

  test('bring back what was changed, deleted and added, in an order that references allow', async () => {
    await sql`delete from goods where id = 11`.execute(store.db)
    await sql`delete from shelves where id = 2`.execute(store.db)
    await sql`update shelves set name = 'first', revision = 4 where id = 1`.execute(store.db)
    await sql`insert into shelves values (3, 'three', 1)`.execute(store.db)
    await sql`insert into goods values (12, 3, 7)`.execute(store.db)
    const differences = (await differencesTo(store, copy, tables)) ?? []
    assert.deepEqual(differences.map(({ table, key }) => [table, key['id']]).toSorted(), [
      ['goods', 11],
      ['goods', 12],
      ['shelves', 1],
      ['shelves', 2],
      ['shelves', 3],
    ])
    await store.transaction((tx) => store.write(tx, writesTo(differences)))
    assert.deepEqual(
      (await rowsOf('shelves')).map((row) => ({ ...(row as object) })),
      [
        { id: 1, name: 'one', revision: 5 },
        { id: 2, name: 'two', revision: 1 },
      ],
    )
    assert.deepEqual(
      (await rowsOf('goods')).map((row) => ({ ...(row as object) })),
      [
        { id: 10, shelf_id: 1, price: 5 },
        { id: 11, shelf_id: 2, price: null },
      ],
    )
  })

  test('are not told of a copy with other tables', async () => {
    await sql`drop table goods`.execute(store.db)
    assert.equal(await differencesTo(store, copy, ['shelves']), undefined)
  })
})
