import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { sql } from 'kysely'
import type { Store } from '../store/store.ts'
import { appendActivity, pruneActivity, verifyActivity } from './activity.ts'
import { entry, openParcels } from './parcel.fixture.ts'

let store: Store
beforeEach(async () => {
  store = await openParcels()
})
afterEach(() => store.close())

const at = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString()
const signal = new AbortController().signal
const verify = () => verifyActivity(store, signal)

/** Appends rows, `perDay` of them on each day from the first of January on. */
async function append(rows: number, perDay = 1000, more: object = {}): Promise<void> {
  await store.transaction(async (tx) => {
    for (let index = 0; index < rows; index++) {
      const row = {
        ...entry,
        status: 'ok' as const,
        message: `entry ${index}`,
        duration_ms: 3,
        change_id: index,
        created_at: at(1 + Math.floor(index / perDay)),
        ...more,
      }
      await appendActivity(store, tx, row)
    }
  })
}

describe('the chain of the activity log', () => {
  it('verifies when nothing was ever written, and when everything is as it was written', async () => {
    assert.deepEqual(await verify(), { ok: true, checked: 0, from: 0, to: 0 })
    await append(2500)
    assert.deepEqual(await verify(), { ok: true, checked: 2500, from: 1, to: 2500 })
  })

  it('verifies with texts that a database stores differently: half a surrogate pair, NUL, emoji', async () => {
    for (const message of ['cut \uD83E', 'nul \0 within', '\u{1F980}', 'ä\u0308'])
      await append(1, 1, { message, path: message })
    assert.equal((await verify()).ok, true)
  })

  for (const [what, tamper] of [
    ['message', sql`update activity set message = 'nothing happened' where id = 1234`],
    ['user', sql`update activity set user_id = 99 where id = 1234`],
    ['time', sql`update activity set created_at = '2020-01-01T00:00:00.000Z' where id = 1234`],
    ['hash', sql`update activity set hash = 'x' where id = 1234`],
  ] as const) {
    it(`names the entry whose ${what} was changed`, async () => {
      await append(2500)
      await tamper.execute(store.db)
      assert.deepEqual(await verify(), {
        ok: false,
        broken_at: 1234,
        reason: 'this row is not as it was written',
      })
    })
  }

  it('names an entry that was removed, also the first and the first of a batch', async () => {
    await append(1500)
    await sql`delete from activity where id = 1001`.execute(store.db)
    assert.deepEqual(await verify(), { ok: false, broken_at: 1001, reason: 'this row is gone' })
    await sql`delete from activity where id = 1`.execute(store.db)
    assert.deepEqual(await verify(), {
      ok: false,
      broken_at: 2,
      reason: 'rows before this one are gone without a checkpoint',
    })
  })

  it('names where entries were cut off at the end, also beyond the last checkpoint and all of them', async () => {
    await append(1500)
    await sql`delete from activity where id > 1490`.execute(store.db)
    assert.deepEqual(await verify(), {
      ok: false,
      broken_at: 1491,
      reason: 'the rows from here on were cut off',
    })
    await sql`delete from activity`.execute(store.db)
    assert.deepEqual(await verify(), {
      ok: false,
      broken_at: 1500,
      reason: 'all rows up to this one are gone',
    })
  })

  it('names a row that was moved in the place of another', async () => {
    await append(20)
    await sql`update activity set id = 100 where id = 5`.execute(store.db)
    await sql`update activity set id = 5 where id = 6`.execute(store.db)
    assert.deepEqual(await verify(), { ok: false, broken_at: 5, reason: 'this row is not as it was written' })
  })

  it('notices marks that this panel did not sign', async () => {
    await append(1500)
    await sql`update activity_checkpoints set signature = 'forged'`.execute(store.db)
    assert.deepEqual(await verify(), {
      ok: false,
      broken_at: 1000,
      reason: 'the checkpoint at this row is not signed by this panel',
    })
    await sql`update activity_head set signature = 'forged'`.execute(store.db)
    assert.equal((await verify()).ok, false)
  })

  it('stops when nobody waits for it any more', async () => {
    await append(10)
    await assert.rejects(verifyActivity(store, AbortSignal.abort(new Error('gone'))), /gone/)
  })
})

describe('pruning', () => {
  const year = 365
  const prune = (day: number) => pruneActivity(store, new Date(at(day)))

  it('removes a day of rows that are older than a year behind a signed checkpoint, and what stays verifies', async () => {
    await append(2500, 900)
    await append(1, 1, { created_at: at(year + 4) })
    assert.equal(await prune(year + 4), 900)
    assert.deepEqual(await verify(), { ok: true, checked: 1601, from: 901, to: 2501 })
    assert.equal(await prune(year + 4), 900)
    await append(10, 10, { created_at: at(year + 4) })
    assert.deepEqual(await verify(), { ok: true, checked: 711, from: 1801, to: 2511 })
    assert.equal(await prune(year + 4), 700)
    assert.equal(await prune(year + 4), 0)
  })

  it('removes nothing that is younger, and nothing while the clock is not believed', async () => {
    await append(1100)
    await append(1, 1, { created_at: at(year) })
    assert.equal(await prune(year), 0)
    assert.equal(await pruneActivity(store, undefined), 0)
  })

  it('removes nothing when the clock alone is ahead, and a day of rows when an entry is, too', async () => {
    await append(1007, 100)
    for (const ahead of [400, 5000]) assert.equal(await prune(11 + ahead), 0)
    await append(1, 1, { created_at: at(11 + 400) })
    assert.equal(await prune(11 + 400), 100)
    assert.equal(await prune(11), 0)
    assert.equal((await verify()).ok, true)
  })

  it('keeps the rows behind a younger one, though a clock that was set back gave them older times', async () => {
    await append(1, 1, { created_at: at(1) })
    await append(1000, 1000, { created_at: at(300) })
    await append(1000, 1000, { created_at: at(1) })
    await append(1, 1, { created_at: at(400) })
    assert.equal(await prune(400), 1)
    assert.deepEqual(await verify(), { ok: true, checked: 2001, from: 2, to: 2002 })
  })

  it('hides no later tampering', async () => {
    await append(2500)
    await append(1, 1, { created_at: at(year + 3) })
    assert.equal(await prune(year + 3), 1000)
    await sql`update activity set message = 'x' where id = 2001`.execute(store.db)
    assert.deepEqual(await verify(), {
      ok: false,
      broken_at: 2001,
      reason: 'this row is not as it was written',
    })
  })
})
