import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readPage } from './page.ts'
import type { Store } from './store.ts'
import { openTestStore } from './testing/open-test-store.ts'

declare module './tables.ts' {
  interface Tables {
    readonly racks: { readonly id: number; readonly label: string; readonly note: string | null }
  }
}

const labels = ['Alpha', 'beta', '100% wool', '1000 wool', 'a_b', 'axb', 'back\\slash', 'Ärger', 'beta']
let store: Store

before(async () => {
  store = await openTestStore({
    now: new Date(0),
    migrations: [
      {
        name: '202601010000-racks',
        statements: ['create table racks (id integer primary key, label text not null, note text)'],
      },
    ],
  })
  await store.db
    .insertInto('racks')
    .values(labels.map((label, index) => ({ id: index + 1, label, note: index === 0 ? 'special' : null })))
    .execute()
})
after(() => store.close())

const read = async (asked: { search?: string; sort?: string; page?: number; per_page?: number } = {}) => {
  const page = await readPage(
    store.db.selectFrom('racks').selectAll(),
    { page: 1, per_page: 50, sort: 'id', ...asked },
    { search: ['label', 'note'] },
  )
  return {
    labels: page.items.map(({ label }) => label),
    ids: page.items.map(({ id }) => id),
    total: page.total,
  }
}

describe('a page of a list', () => {
  it('contains the requested rows and the total', async () => {
    assert.deepEqual(await read({ page: 2, per_page: 4 }), {
      labels: ['a_b', 'axb', 'back\\slash', 'Ärger'],
      ids: [5, 6, 7, 8],
      total: 9,
    })
    assert.deepEqual(await read({ page: 9 }), { labels: [], ids: [], total: 9 })
  })

  it('sorts ascending, and descending after a dash', async () => {
    assert.deepEqual((await read({ sort: '-id' })).ids, [9, 8, 7, 6, 5, 4, 3, 2, 1])
  })

  it('never shows a row on two pages, even if the sort column has equal values', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => read({ sort: 'note', page, per_page: 3 })))
    assert.deepEqual(
      pages.flatMap(({ ids }) => ids).toSorted((a, b) => a - b),
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
    )
  })

  it('finds text in any searched column, ignoring case', async () => {
    assert.deepEqual((await read({ search: 'ALPHA' })).labels, ['Alpha'])
    assert.deepEqual((await read({ search: 'special' })).labels, ['Alpha'])
    assert.deepEqual((await read({ search: 'Ärger' })).labels, ['Ärger'])
  })

  it('searches for %, _ and \\ literally', async () => {
    assert.deepEqual((await read({ search: '100%' })).labels, ['100% wool'])
    assert.deepEqual((await read({ search: 'a_b' })).labels, ['a_b'])
    assert.deepEqual((await read({ search: 'k\\s' })).labels, ['back\\slash'])
    assert.equal((await read({ search: "' or 1=1 --" })).total, 0)
  })
})
