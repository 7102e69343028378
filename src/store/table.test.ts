import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import Type from 'typebox'
import { boolean, id, integer, json, oneOf, optional, ref, revision, secret, text, time } from './columns.ts'
import { Conflict, type Problem } from '../core/problem.ts'
import type { Store } from './store.ts'
import { openTestStore } from './testing/open-test-store.ts'
import { queriesOf } from './table-queries.ts'
import { type RowOf, table } from './table.ts'

const crates = table(
  'crates',
  {
    id: id(),
    label: text(10, { unique: true }),
    kind: oneOf(['wood', 'steel']),
    weight: integer(),
    is_open: boolean(),
    content: json(Type.Object({ apples: Type.Integer() })),
    parent_id: optional(ref('crates')),
    lock_hash: secret(),
    packed_at: time(),
    revision: revision(),
  },
  { noun: 'crate', search: ['label'] },
)
const stamps = table('stamps', {
  crate_id: ref('crates', { key: true }),
  place: text(20, { key: true }),
  sum: integer(),
})

const statements = [
  `create table crates (id integer primary key, label text not null unique, kind text not null, weight integer not null,
    is_open integer not null, content text not null, parent_id integer references crates (id), lock_hash text not null,
    packed_at text not null, revision integer not null)`,
  'create table stamps (crate_id integer not null, place text not null, sum integer not null, primary key (crate_id, place))',
]
const packed_at = '2026-11-22T00:00:00.000Z'
const values = {
  kind: 'wood',
  weight: 3,
  is_open: true,
  content: { apples: 2 },
  lock_hash: 'h',
  packed_at,
} as const
const crate = (number: number): RowOf<typeof crates> =>
  crates.row({ ...values, id: number, label: `c${number}` })

describe('a declared table', () => {
  let store: Store
  before(async () => {
    const migrations = [{ name: '202611210500-crates', statements }]
    store = await openTestStore({ migrations, now: new Date(packed_at) })
  })
  after(() => store.close())
  const write = (...writes: readonly ReturnType<typeof crates.insert>[]) =>
    store.transaction((tx) => store.write(tx, writes))
  const queries = () => queriesOf(store, crates)

  it('makes a row with revision 1 and null for absent values, and reads back what it inserted', async () => {
    await write(crates.insert(crate(1)))
    assert.deepEqual({ ...(await queries().load({ id: 1 })) }, crate(1))
    const { is_open, content, parent_id, revision: first } = crate(1)
    assert.deepEqual([is_open, content, parent_id, first], [1, '{"apples":2}', null, 1])
  })

  it('shows values instead of their stored form, and no secret', () => {
    const shown = {
      id: 2,
      label: 'c2',
      kind: 'wood',
      weight: 3,
      is_open: true,
      content: { apples: 2 },
      parent_id: null,
    }
    assert.deepEqual(crates.show(crate(2)), { ...shown, packed_at, revision: 1 })
  })

  it('counts the revision with an update, and refuses one that is based on an old row', async () => {
    const row = crate(3)
    await write(crates.insert(row))
    await write(crates.update(row, { is_open: false }))
    assert.deepEqual({ ...(await queries().find({ id: 3 })) }, crates.changed(row, { is_open: false }))
    assert.deepEqual(
      [crates.changed(row, {}).revision, crates.changed(row, { is_open: false }).is_open],
      [2, 0],
    )
    await assert.rejects(
      write(crates.update(row, { weight: 9 })),
      (error: Problem) => error.kind === Conflict,
    )
  })

  it('updates by its key where there is no revision, and by a condition', async () => {
    const stamp = stamps.row({ crate_id: 1, place: 'Bern', sum: 1 })
    await write(stamps.insert(stamp), stamps.update(stamp, { sum: 2 }))
    await write(stamps.updateWhere({ place: 'Bern' }, { crate_id: 7 }))
    assert.deepEqual(
      { ...(await queriesOf(store, stamps).find({ place: 'Bern' })) },
      {
        crate_id: 7,
        place: 'Bern',
        sum: 2,
      },
    )
  })

  it('deletes by a condition, after which there is 404', async () => {
    await write(crates.insert(crate(4)), crates.delete({ label: 'c4' }))
    await assert.rejects(queries().load({ id: 4 }, 'crate_id'), { message: 'crate_id: there is no crate 4' })
  })

  it('pages the rows that meet a condition, null included, and searches them', async () => {
    await write(crates.insert({ ...crate(5), parent_id: 1 }), crates.insert({ ...crate(6), parent_id: 1 }))
    const asked = { page: 1, per_page: 1, sort: '-label' }
    const { items, total } = await queries().page(asked, { parent_id: 1 })
    assert.deepEqual([items.map(({ label }) => label), total], [['c6'], 2])
    assert.equal((await queries().page({ ...asked, search: '5' }, { parent_id: null })).total, 0)
  })

  it('refuses text that is too long, and columns that it does not have', () => {
    assert.throws(() => crates.row({ ...values, id: 1, label: 'more than ten' }), RangeError)
    assert.throws(() => crates.update(crate(1), { color: 'red' } as never), /crates has no column color/)
    assert.throws(() => crates.delete({ id: undefined } as never), /condition on id has no value/)
  })
})
