import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { after, afterEach, beforeEach, describe, it } from 'node:test'
import { change, step, type StepKind } from '../../core/change.ts'
import { problem } from '../../core/problem.ts'
import { from } from '../../core/returned.ts'
import { id, integer, revision, secret, text } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { table } from '../../store/table.ts'
import { type Executor, openExecutor } from '../executor.ts'
import {
  fileState,
  files,
  fileStep,
  fiveSteps,
  layOut,
  openParcels,
  orderOf,
  quiet,
} from '../testing/parcel.ts'
import type { StepKinds } from '../work.ts'
import { decideUndo, undoStep } from './index.ts'

const directory = mkdtempSync('/tmp/hostreeve-undo-by-id-')
after(() => rmSync(directory, { recursive: true }))
const former = files.map(({ before }) => before)
const wanted = files.map(({ wanted: content }) => content)
const Broken = problem('broken', 500, 'The step broke')
const parcels = table('parcels', { id: id(), label: text(20), revision: revision() })

let store: Store
let executor: Executor
const kinds = new Map<string, StepKind<any, any, any>>()
const undoing = undoStep(() => kinds)
const write = fileStep('file.write')
beforeEach(async () => {
  kinds.clear()
  for (const kind of [write, undoing]) kinds.set(kind.name, kind)
  layOut(directory)
  store = await openParcels()
  executor = openExecutor({ store, log: quiet })
})
afterEach(() => store.close())

const send = () => executor.execute(orderOf(async () => fiveSteps(store, directory, write)))
const undo = async (entryId: number | undefined) => {
  const entry = await store.db
    .selectFrom('activity')
    .selectAll()
    .where('id', '=', entryId ?? 0)
    .executeTakeFirstOrThrow()
  return executor.execute(orderOf(() => decideUndo({ store, step: undoing }, entry, new Date())))
}
const rows = () => store.db.selectFrom('parcels').selectAll().orderBy('id').execute()
const notUndoable = (detail: RegExp) => ({ kind: { code: 'not_undoable' }, message: detail })
const conflict = (detail: RegExp) => ({ kind: { code: 'conflict' }, message: detail })
const refused = (run: Promise<unknown>, { kind, message }: ReturnType<typeof conflict>) =>
  assert.rejects(run, (error: any) => {
    assert.equal(error.kind?.code, kind.code, error)
    assert.match(error.message, message)
    return true
  })
const run = (draft: Parameters<typeof change>[0]) => executor.execute(orderOf(async () => change(draft)))

describe('undo by id', () => {
  it('restores files and rows in reverse order, as a change with an entry of its own', async () => {
    const before = await rows()
    const { activityId } = await send()
    const { activityId: undoneBy } = await undo(activityId)
    assert.deepEqual(fileState(directory), former)
    assert.deepEqual(
      (await rows()).map(({ id: each, label }) => [each, label]),
      before.map(({ id: each, label }) => [each, label]),
    )
    const { message, status } = await store.db
      .selectFrom('activity')
      .selectAll()
      .where('id', '=', undoneBy ?? 0)
      .executeTakeFirstOrThrow()
    assert.deepEqual([message, status], [`Undo entry ${activityId}: Send a parcel`, 'ok'])
  })

  it('is refused the second time, and an undo can be undone itself', async () => {
    const { activityId } = await send()
    const sent = await rows()
    const first = await undo(activityId)
    await refused(undo(activityId), notUndoable(/already been undone/))
    const second = await undo(first.activityId)
    assert.deepEqual(fileState(directory), wanted)
    assert.deepEqual(
      (await rows()).map(({ label }) => label),
      sent.map(({ label }) => label),
    )
    await undo(second.activityId)
    assert.deepEqual(fileState(directory), former)
  })

  it('is refused, naming the step, if a file has changed since, and touches nothing', async () => {
    const { activityId } = await send()
    writeFileSync(`${directory}/a`, 'by hand')
    const before = [fileState(directory), await rows()]
    await refused(undo(activityId), conflict(/Write .*\/a: the host has been changed since/))
    assert.deepEqual([fileState(directory), await rows()], before)
  })

  it('is refused, naming row and column, if a value that it wrote has changed, but not for a revision', async () => {
    const { activityId, reply } = await send()
    const sent = (reply as { id: number }).id
    const set = (values: object) =>
      store.db.updateTable('parcels').set(values).where('id', '=', sent).execute()
    await set({ label: 'lost' })
    await refused(undo(activityId), conflict(new RegExp(`parcels ${sent}: label has been changed since`)))
    await set({ label: 'sent', revision: 9 })
    await undo(activityId)
    assert.deepEqual(fileState(directory), former)
  })

  it('keeps what others changed in other columns of a row', async () => {
    const row = parcels.row({ id: 900, label: 'counter' })
    const { activityId } = await run({
      summary: 'Rename',
      rows: [parcels.update(row, { label: 'meter' })],
      reply: null,
    })
    await undo(activityId)
    assert.deepEqual(
      (await rows()).map((each) => ({ ...each })),
      [{ id: 900, label: 'counter', revision: 3 }],
    )
  })

  it('brings deleted rows back, unless another one has taken their key', async () => {
    const remove = () => run({ summary: 'Remove', rows: [parcels.delete({ id: 900 })], reply: null })
    const first = await remove()
    await undo(first.activityId)
    assert.equal((await rows())[0]?.label, 'counter')
    const second = await remove()
    await store.db.insertInto('parcels').values({ id: 900, label: 'other', revision: 1 }).execute()
    await refused(undo(second.activityId), conflict(/parcels 900: it has been created again since/))
  })

  it('follows several writes of one row', async () => {
    const row = parcels.row({ id: 900, label: 'counter' })
    const twice = [
      parcels.update(row, { label: 'meter' }),
      parcels.update(parcels.changed(row, {}), { label: 'clock' }),
      parcels.delete({ id: 900 }),
      parcels.insert({ ...row, label: 'dial' }),
    ]
    const { activityId } = await run({ summary: 'Rename', rows: twice, reply: null })
    await undo(activityId)
    assert.equal((await rows())[0]?.label, 'counter')
  })

  it('finds a unique value that was taken since before it touches anything', async () => {
    await store.transaction((tx) =>
      tx.schema.createIndex('by_label').on('parcels').column('label').unique().execute(),
    )
    const path = `${directory}/a`
    const { activityId } = await run({
      summary: 'Remove',
      steps: [step(write, { path, text: 'gone' })],
      rows: [parcels.delete({ id: 900 })],
      reply: null,
    })
    await store.db.insertInto('parcels').values({ id: 901, label: 'counter', revision: 1 }).execute()
    await refused(undo(activityId), conflict(/parcels\.label: another row has the same value by now/))
    assert.equal(readFileSync(path, 'utf8'), 'gone')
  })

  it('puts everything back if a step of the undo fails', async () => {
    let isBroken = false
    const fragile: typeof write = {
      ...write,
      undo: async (args, before) => {
        if (isBroken && args.path.endsWith('b')) throw Broken('b broke')
        await write.undo(args, before)
      },
    }
    kinds.set(write.name, fragile)
    const { activityId } = await send()
    const sent = await rows()
    isBroken = true
    await refused(undo(activityId), { kind: { code: 'broken' }, message: /b broke/ })
    assert.deepEqual(fileState(directory), wanted)
    assert.deepEqual(await rows(), sent)
    isBroken = false
    await undo(activityId)
    assert.deepEqual(fileState(directory), former)
  })

  it('is refused with the reason of a final step, and of rows that say why', async () => {
    kinds.set('file.burn', { ...write, name: 'file.burn', notUndone: 'ashes remain' })
    const burnt = await run({
      summary: 'Burn',
      steps: [step(kinds.get('file.burn')!, { path: `${directory}/a`, text: null })],
      reply: null,
    })
    await refused(undo(burnt.activityId), notUndoable(/It cannot be undone: ashes remain/))
    const sealed = table('parcels', { id: id(), label: secret(), revision: integer() })
    const kept = table(
      'parcels',
      { id: id(), label: text(20) },
      { notUndone: { left: 'a sent parcel stays sent' } },
    )
    const renamed = await run({
      summary: 'Rename',
      rows: [sealed.updateWhere({ id: 900 }, { label: 'x' })],
      reply: null,
    })
    await refused(undo(renamed.activityId), notUndoable(/it replaced a secret/))
    const left = await run({ summary: 'Remove', rows: [kept.delete({ id: 900 })], reply: null })
    await refused(undo(left.activityId), notUndoable(/a sent parcel stays sent/))
  })

  it('is refused for writes of tables that declare nothing, and for changes that did nothing', async () => {
    const raw = { write: 'delete', table: 'parcels', where: { id: 900 } } as const
    const { activityId } = await run({ summary: 'Remove', rows: [raw], reply: null })
    await refused(undo(activityId), notUndoable(/the rows of parcels that it wrote were not kept/))
    const nothing = await run({ summary: 'Rest', reply: null })
    await refused(undo(nothing.activityId), notUndoable(/it changed nothing/))
    const job = { kind: 'x', input: {}, ownerId: null, title: 'Deliver' }
    const enqueued = await run({ summary: 'Order', jobs: [job], reply: null })
    await refused(undo(enqueued.activityId), notUndoable(/the job “Deliver” did the work/))
  })

  it('is refused for a change that failed, and for one that is too old', async () => {
    const broken = { ...write, name: 'file.break', act: async () => Promise.reject(Broken('it broke')) }
    await assert.rejects(
      run({ summary: 'Break', steps: [step(broken, { path: `${directory}/a`, text: 'x' })], reply: null }),
    )
    await refused(undo(1), notUndoable(/everything was restored/))
    const { activityId, changeId } = await send()
    await store.db.updateTable('changes').set({ work: null }).where('id', '=', changeId).execute()
    await refused(undo(activityId), notUndoable(/too old/))
  })

  it('does not repeat a step whose result another part of the change used', async () => {
    const first = step(write, { path: `${directory}/a`, text: 'one' })
    const { activityId } = await run({
      summary: 'Chain',
      steps: [first, step(write, { path: `${directory}/b`, text: from(first, 'wrote') })],
      reply: null,
    })
    const { activityId: undone } = await undo(activityId)
    await refused(undo(undone), notUndoable(/another result/))
  })

  it('of a change that a restart completed works as well', async () => {
    await send()
    const row = await store.db.selectFrom('changes').select('id').executeTakeFirstOrThrow()
    await store.db.deleteFrom('parcels').where('label', '=', 'sent').execute()
    const work = JSON.stringify({
      ...JSON.parse(
        store.unseal((await store.db.selectFrom('changes').select('work').executeTakeFirstOrThrow()).work!),
      ),
      rows: fiveSteps(store, directory, write).rows,
      written: undefined,
    })
    await store.db
      .updateTable('changes')
      .set({ state: 'intended', outcome: null, work: store.seal(work) })
      .where('id', '=', row.id)
      .execute()
    const recovered = await executor.recover(kinds as StepKinds)
    assert.equal(recovered[0]?.outcome, 'ok')
    await undo(2)
    assert.deepEqual(fileState(directory), former)
  })
})
