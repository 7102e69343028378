import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { after, afterEach, beforeEach, describe, it } from 'node:test'
import { refusedChange, type RowWrite } from '../core/change.ts'
import { problem } from '../core/problem.ts'
import type { Store } from '../store/store.ts'
import { openExecutor } from './executor.ts'
import { recoverChanges } from './recover.ts'
import { entry, fileStep, fiveSteps, kindsOf, layOut, openParcels, orderOf, quiet } from './testing/parcel.ts'
import { openUnsettled } from './unsettled.ts'
import { openLocks } from './locks.ts'

const directory = mkdtempSync('/tmp/hostreeve-outbox-')
after(() => rmSync(directory, { recursive: true }))
const Broken = problem('broken', 500, 'The step broke')

describe('the outbox of a change', () => {
  let store: Store
  beforeEach(async () => {
    layOut(directory)
    store = await openParcels()
    await store.db.schema
      .createTable('letters')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('text', 'text')
      .addColumn('created_at', 'text')
      .execute()
  })
  afterEach(() => store.close())

  const letter = (text: string): RowWrite => ({ write: 'insert', table: 'letters', values: { text } })
  const letters = async () =>
    (await store.db
      .selectFrom('letters' as never)
      .selectAll()
      .orderBy('id' as never)
      .execute()) as {
      text: string
    }[]
  const kind = fileStep('file.write')
  const order = (text: string, step = kind) =>
    orderOf(async () => fiveSteps(store, directory, step), { actor: { entry, outbox: [letter(text)] } })

  it('is written when the change is settled, and is no part of its undo', async () => {
    await openExecutor({ store, log: quiet }).execute(order('one'))
    assert.deepEqual(
      (await letters()).map(({ text }) => text),
      ['one'],
    )
    const row = await store.db.selectFrom('changes').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual([row.state, row.outbox, row.not_undone], ['settled', null, null])
  })

  it('stays empty when a step fails', async () => {
    const failing = fileStep('file.write', ({ path }) => {
      if (path.endsWith('c')) throw Broken('c broke')
    })
    await assert.rejects(openExecutor({ store, log: quiet }).execute(order('one', failing)), /c broke/)
    assert.deepEqual(await letters(), [])
    const row = await store.db.selectFrom('changes').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual([row.state, row.outbox], ['settled', null])
  })

  it('stays empty when the change is refused, also if that writes rows', async () => {
    const refuse = async () => refusedChange({ summary: 'Refuse', locks: [], rows: [] }, Broken())
    const refused = orderOf(refuse, { actor: { entry, outbox: [letter('one')] } })
    await assert.rejects(openExecutor({ store, log: quiet }).execute(refused), /The step broke/)
    assert.deepEqual(await letters(), [])
  })

  it('is written by the recovery of a change whose steps had acted', async () => {
    const killed = new Error('killed')
    const onPoint = (point: string) => {
      if (point === 'acted') throw killed
    }
    await assert.rejects(openExecutor({ store, log: quiet, onPoint }).execute(order('one')), /killed/)
    assert.deepEqual(await letters(), [])
    const unsettled = openUnsettled({ locks: openLocks(), log: quiet })
    await recoverChanges({ store, log: quiet, unsettled, isWork: () => false }, kindsOf(kind))
    assert.deepEqual(
      (await letters()).map(({ text }) => text),
      ['one'],
    )
    await unsettled.close()
  })
})
