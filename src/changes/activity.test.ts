import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { sql } from 'kysely'
import type { Store } from '../store/store.ts'
import { appendActivity, noteFound, pruneActivity, verifyActivity } from './activity.ts'
import { changeMigrations } from './tables.ts'
import { entry, openParcels } from './testing/parcel.ts'

let store: Store
beforeEach(async () => {
  store = await openParcels()
})
afterEach(() => store.close())

const at = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString()
const signal = new AbortController().signal
const verify = () => verifyActivity(store, signal)

/** Appends rows, `perDay` on each day from 1 January on. */
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
      reason: 'rows before this one are gone, and were not pruned',
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
    await sql`update activity_signed_checkpoints set signature = 'forged'`.execute(store.db)
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

describe('a chain that was tampered with', () => {
  const run = (statement: string) => sql.raw(statement).execute(store.db)
  const tamperings: readonly (readonly [string, number, () => Promise<unknown>])[] = [
    ['the newest rows are cut off', 1006, () => run('delete from activity where id > 1005')],
    ['the rows are cut off, back over a checkpoint', 991, () => run('delete from activity where id > 990')],
    ['all rows are removed', 1, () => run('delete from activity')],
    [
      'all rows and checkpoints are removed',
      1,
      async () => {
        await run('delete from activity')
        await run('delete from activity_signed_checkpoints')
      },
    ],
    ['the rows from one on are hashed anew', 1010, () => copyRewritten(1005, 1010)],
    ['a row is added', 1011, () => copyRewritten(1011, 1011)],
    ['the head is removed', 1010, () => run('delete from activity_head')],
    ['the head is forged', 1010, () => run("update activity_head set signature = 'forged'")],
    [
      'the rows are cut off behind a checkpoint that is given out as the head',
      1000,
      async () => {
        await run('delete from activity where id > 1000')
        await run(`update activity_head set (activity_id, hash, signature) =
          (select activity_id, hash, signature from activity_signed_checkpoints)`)
      },
    ],
  ]

  /** Replaces these rows with ones that have another message and correct hashes. */
  async function copyRewritten(from: number, to: number): Promise<void> {
    const own = store
    store = await openParcels()
    await append(from - 1)
    await append(to - from + 1, 1000, { message: 'nothing happened' })
    const rows = await store.db.selectFrom('activity').selectAll().where('id', '>=', from).execute()
    await store.close()
    store = own
    await store.db.deleteFrom('activity').where('id', '>=', from).execute()
    for (const row of rows) await store.db.insertInto('activity').values(row).execute()
  }

  for (const [title, brokenAt, tamper] of tamperings) {
    it(`stays broken for good: ${title}`, async () => {
      await append(1010)
      await tamper()
      assert.equal((await verify()).ok, false)
      for (let entries = 1; entries <= 2; entries++) {
        await append(1)
        assert.deepEqual({ ...(await verify()), reason: '' }, { ok: false, broken_at: brokenAt, reason: '' })
      }
      assert.equal((await breaks()).length, 1)
    })
  }

  const breaks = () => store.db.selectFrom('activity_breaks').selectAll().execute()

  it('stays broken when the rows around the break have been pruned', async () => {
    await append(20)
    await run('delete from activity where id > 15')
    await append(1000)
    await run('delete from activity where id <= 1000')
    assert.deepEqual(await verify(), {
      ok: false,
      broken_at: 16,
      reason: 'the rows from here on were cut off',
    })
  })

  it('does not give the ids of removed rows again', async () => {
    await append(10)
    await run('delete from activity where id > 7')
    await append(1)
    const ids = await store.db.selectFrom('activity').select('id').orderBy('id').execute()
    assert.deepEqual(
      ids.map(({ id }) => id),
      [1, 2, 3, 4, 5, 6, 7, 11],
    )
  })

  it('stays broken when a check has found a row that is put back later, and that once', async () => {
    await append(20)
    const forge = (message: string) => run(`update activity set message = '${message}' where id = 5`)
    await forge('nothing happened')
    for (let night = 0; night < 2; night++) {
      const found = await verify()
      assert.ok(!found.ok)
      await noteFound(store, found, new Date(at(2)))
    }
    await forge('entry 4')
    await append(1)
    const broken = { ok: false, broken_at: 5, reason: 'this row is not as it was written' }
    assert.deepEqual([await verify(), (await breaks()).length], [broken, 1])
  })

  for (const [what, tamper, brokenAt] of [
    ['head is forged', "update activity_head set signature = 'forged'", 20],
    ['end is cut off', 'delete from activity where id > 17', 18],
  ] as const)
    it(`stays broken when a check has noted that the ${what}, before anything is appended`, async () => {
      await append(20)
      const head = await store.db.selectFrom('activity_head').selectAll().executeTakeFirstOrThrow()
      const rows = await store.db.selectFrom('activity').selectAll().where('id', '>', 17).execute()
      await run(tamper)
      const found = await verify()
      assert.ok(!found.ok)
      await noteFound(store, found, new Date(at(2)))
      await store.db.deleteFrom('activity').where('id', '>', 17).execute()
      await store.db.insertInto('activity').values(rows).execute()
      assert.equal((await store.db.selectFrom('activity_head').selectAll().execute())[0]?.hash, head.hash)
      assert.deepEqual({ ...(await verify()), reason: '' }, { ok: false, broken_at: brokenAt, reason: '' })
    })

  it('cannot be mended by removing or changing the mark of the break', async () => {
    for (const statement of [
      'delete from activity_breaks',
      'update activity_breaks set broken_at = 1',
      "update activity_breaks set signature = 'forged'",
    ]) {
      await append(10)
      await run('delete from activity where id = (select max(id) from activity)')
      await append(1)
      await run(statement)
      assert.equal((await verify()).ok, false, statement)
      await append(1)
      assert.equal((await verify()).ok, false, statement)
    }
  })

  it('keeps at most a hundred marks and goes on', async () => {
    for (let round = 0; round < 103; round++) {
      await append(1)
      await run("update activity_head set signature = 'forged'")
    }
    assert.equal((await breaks()).length, 100)
    assert.equal((await verify()).ok, false)
  })
})

it('a chain that an earlier version signed goes on unbroken', async () => {
  await append(1500)
  for (const { activity_id, hash } of await store.db.selectFrom('activity_head').selectAll().execute()) {
    const signature = store.sign(`activity ${activity_id} ${hash}`)
    await store.db.updateTable('activity_head').set({ signature }).execute()
  }
  assert.equal((await verify()).ok, true)
  await append(10)
  assert.deepEqual(await verify(), { ok: true, checked: 1510, from: 1, to: 1510 })
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

  it('records a break among the rows that it removes', async () => {
    await append(20)
    await append(20, 20, { created_at: at(year + 3) })
    await sql`update activity set message = 'forged' where id = 15`.execute(store.db)
    assert.equal(await prune(year + 3), 20)
    const broken = { ok: false, broken_at: 15, reason: 'this row is not as it was written' }
    assert.deepEqual(await verify(), broken)
  })

  it('records that rows were removed before, though their mark would hide it', async () => {
    await append(20)
    await append(20, 20, { created_at: at(year + 3) })
    await sql`update activity set created_at = ${at(0)}, message = 'forged' where id <= 20`.execute(store.db)
    await sql`delete from activity where id <= 10`.execute(store.db)
    const found = await verify()
    assert.equal(found.ok, false)
    assert.equal(await prune(year + 3), 10)
    assert.deepEqual(await verify(), found)
  })

  it('is told from a removal up to a checkpoint, of which there is one each thousand rows', async () => {
    await append(2500)
    await sql`delete from activity where id <= 1000`.execute(store.db)
    assert.deepEqual(await verify(), {
      ok: false,
      broken_at: 1001,
      reason: 'rows before this one are gone, and were not pruned',
    })
  })

  it('by an earlier panel is believed, and not the marks of its checkpoints', async () => {
    await append(2500, 900)
    await append(1, 1, { created_at: at(year + 4) })
    await prune(year + 4)
    for (const id of [1000, 2000]) {
      const { hash } = await rowAt(id)
      const signature = store.sign(`activity checkpoint ${id} ${hash}`)
      const mark = { activity_id: id, hash, signature, created_at: at(1) }
      await store.db.insertInto('activity_checkpoints').values(mark).execute()
    }
    const upgrade = changeMigrations.find(({ name }) => name === '202611292240-signed-checkpoints')
    await sql.raw(upgrade?.statements[1] ?? '').execute(store.db)
    assert.deepEqual(await verify(), { ok: true, checked: 1601, from: 901, to: 2501 })
    await sql`delete from activity where id <= 1000`.execute(store.db)
    assert.equal((await verify()).ok, false)
  })

  const rowAt = (id: number) =>
    store.db.selectFrom('activity').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

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
