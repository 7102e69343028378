import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { until } from '../../../test/support/until.ts'
import { change, step } from '../../core/change.ts'
import { lock } from '../../core/lock.ts'
import { Conflict, HeldByChange, Problem } from '../../core/problem.ts'
import type { Store } from '../../store/store.ts'
import { files, fileState, fileStep, layOut, openParcels, orderOf, parcelLock } from '../testing/parcel.ts'
import { changeClock, clockName } from './clock.ts'
import { armedFile, handClocks, openTrials, realClocks, restore, trial } from './testing/bench.ts'

const former = files.map(({ before }) => before)
const wanted = files.map((file) => file.wanted)

async function scratch(t: TestContext) {
  const directory = mkdtempSync('/tmp/hostreeve-trial-')
  layOut(directory)
  const store = await openParcels()
  t.after(async () => {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return { directory, store, ...handClocks(`${directory}/clocks`), ...seenIn(store) }
}

const seenIn = (store: Store) => ({
  outcomeOf: async (id: number) => {
    const row = await store.db
      .selectFrom('changes')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return row.outcome ?? row.state
  },
  entriesOf: async (id: number) => {
    const rows = await store.db.selectFrom('activity').selectAll().where('change_id', '=', id).execute()
    return rows.map(({ status, message }) => [status, message])
  },
  sent: async () =>
    (await store.db.selectFrom('parcels').selectAll().where('label', '=', 'sent').execute()).length,
})

function isConflict(error: unknown): false {
  assert.ok(error instanceof Problem && error.kind === Conflict)
  return false
}

/** Lets the clock strike after a number of rounds of the event loop. */
async function strikeAfter(rounds: number, strike: () => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds; round++) await setImmediate()
  await strike()
}

describe('a provisional change', { timeout: 300_000 }, () => {
  it('answers when its steps have acted; its rows, job and locks wait for the confirmation', async (t) => {
    const { directory, store, clocks, sent, outcomeOf, entriesOf } = await scratch(t)
    const { executor, ...trials } = openTrials(store, { clocks })
    const { changeId, reply } = await trials.try(directory, 60)
    assert.equal(reply?.change_id, changeId)
    assert.ok(Math.abs(Date.parse(reply?.confirm_before ?? '') - Date.now() - 60_000) < 60_000)
    assert.deepEqual(fileState(directory), wanted)
    assert.deepEqual(
      [await outcomeOf(changeId), await entriesOf(changeId), await sent()],
      ['provisional', [], 0],
    )
    assert.equal(executor.locks.isFree([parcelLock]), false)
    await trials.confirm(changeId)
    assert.deepEqual(await entriesOf(changeId), [['ok', 'Try a parcel']])
    const jobs = await store.db.selectFrom('jobs').select('kind').execute()
    assert.deepEqual([await outcomeOf(changeId), await sent()], ['ok', 1])
    assert.deepEqual(
      jobs.map(({ kind }) => kind),
      ['parcel.deliver'],
    )
    assert.deepEqual([executor.locks.isFree([parcelLock]), await clocks.names()], [true, []])
    await assert.rejects(trials.confirm(changeId), { kind: Conflict })
    await assert.rejects(trials.cancel(changeId), { kind: Conflict })
    await executor.close()
  })

  it('refuses changes that need one of its locks, and names itself', async (t) => {
    const { directory, store, clocks } = await scratch(t)
    const trials = openTrials(store, { clocks })
    const { changeId } = await trials.try(directory, 60)
    await assert.rejects(trials.try(directory, 60), { kind: HeldByChange, fields: { change_id: changeId } })
    await trials.cancel(changeId)
    await trials.executor.close()
  })

  it('is undone at once by a cancel', async (t) => {
    const { directory, store, clocks, strike, sent, outcomeOf, entriesOf } = await scratch(t)
    const trials = openTrials(store, { clocks })
    const { changeId } = await trials.try(directory, 60)
    await trials.cancel(changeId)
    assert.deepEqual(fileState(directory), former)
    assert.deepEqual([await outcomeOf(changeId), await sent()], ['cancelled', 0])
    assert.deepEqual(await entriesOf(changeId), [['cancelled', 'Cancelled']])
    await trials.try(directory, 60)
    await strike(clockName(changeId))
    assert.deepEqual(
      fileState(directory),
      wanted,
      'the clock of the cancelled change struck into the next one',
    )
    await trials.executor.close()
  })

  it('is undone at its deadline, by the clock alone', async (t) => {
    const { directory, store, clocks, strike, sent, outcomeOf, entriesOf } = await scratch(t)
    const kind = { ...armedFile(), undo: async () => {} }
    const trials = openTrials(store, { clocks, kind })
    const { changeId } = await trials.try(directory, 1)
    await strike(clockName(changeId))
    await assert.rejects(trials.confirm(changeId), { kind: Conflict })
    await until(async () => (await outcomeOf(changeId)) === 'restored')
    assert.deepEqual([fileState(directory), await sent()], [former, 0])
    assert.deepEqual(await entriesOf(changeId), [['restored', 'It was not confirmed in time']])
    await until(() => trials.executor.locks.isFree([parcelLock]))
    await trials.executor.close()
  })

  it('is undone by the panel where the clock was killed, or could not undo it', async (t) => {
    const { directory, store, clocks, strike, outcomeOf } = await scratch(t)
    const kind = { ...armedFile(), armed: () => ['no-such-program-here'] as const }
    const trials = openTrials(store, { clocks, kind })
    const { changeId } = await trials.try(directory, 1)
    await strike(clockName(changeId))
    await until(async () => (await outcomeOf(changeId)) === 'restored')
    assert.deepEqual(fileState(directory), former)
    const next = await openTrials(store, { clocks: { ...clocks, isRunning: async () => false } }).try(
      directory,
      1,
    )
    await until(async () => (await outcomeOf(next.changeId)) === 'restored')
    assert.deepEqual(fileState(directory), former)
    await trials.executor.close()
  })

  it('whose clock strikes while it acts is undone, after the commands of the clock have ended', async (t) => {
    const { directory, store, clocks, strike } = await scratch(t)
    let struck: Promise<void> | undefined
    const onPoint = (point: string) => {
      if (point === 'after:1') struck = strike(clockName(lastId()))
    }
    const lastId = () => tried.at(-1) ?? 0
    const tried: number[] = []
    const seen = {
      ...clocks,
      start: (name: string, at: Date) => (tried.push(Number(name.slice(7))), clocks.start(name, at)),
    }
    const trials = openTrials(store, { clocks: seen, onPoint })
    await assert.rejects(trials.try(directory, 60), {
      kind: Conflict,
      message: /It took longer than the 60 s/,
    })
    await struck
    assert.deepEqual([fileState(directory), await clocks.names()], [former, []])
    const rows = await store.db.selectFrom('changes').select(['state', 'outcome']).execute()
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [{ state: 'settled', outcome: 'restored' }],
    )
    await trials.executor.close()
  })

  it('that fails disarms its clock before it is undone', async (t) => {
    const { directory, store, clocks } = await scratch(t)
    const states: (string | undefined)[] = []
    const written = armedFile(({ path }) => {
      if (path.endsWith('d')) throw new Error('no more ink')
    })
    const undo = async (args: never, before: string | null) => {
      states.push(await clocks.state((await clocks.names())[0] ?? ''))
      await written.undo(args, before)
    }
    const trials = openTrials(store, { clocks, kind: { ...written, undo } })
    await assert.rejects(trials.try(directory, 60), /no more ink/)
    assert.deepEqual(states, ['undone', 'undone', 'undone', 'undone'])
    assert.deepEqual([fileState(directory), await clocks.names()], [former, []])
    await trials.executor.close()
  })

  it('that is confirmed at its deadline is either confirmed or undone, whoever comes first', async (t) => {
    const { directory, store, clocks, strike, sent, outcomeOf } = await scratch(t)
    const trials = openTrials(store, { clocks })
    const rounds = Array.from({ length: 50 }, async (_, round) => {
      const own = `${directory}/${round}`
      mkdirSync(own)
      layOut(own)
      const { changeId } = await trials.try(own, 2, lock('round')(round))
      const confirm = () => trials.confirm(changeId).then(() => true, isConflict)
      const isFirst = round === 1 && (await confirm()) // the confirmation wins this round
      const struck = strikeAfter(round, () => strike(clockName(changeId)))
      if (round === 0) await struck // the deadline wins this round
      const isConfirmed = isFirst || (await confirm())
      await struck
      const outcome = isConfirmed ? 'ok' : 'restored'
      await until(async () => (await outcomeOf(changeId)) === outcome)
      assert.deepEqual(fileState(own), isConfirmed ? wanted : former)
      return isConfirmed
    })
    const confirmed = (await Promise.all(rounds)).filter(Boolean).length
    assert.ok(confirmed > 0 && confirmed < 50, `${confirmed} were confirmed`)
    assert.equal(await sent(), confirmed)
    await trials.executor.close()
  })

  it('is left to its clock by a panel that stops, and goes on waiting at the next start', async (t) => {
    const { directory, store, clocks, outcomeOf } = await scratch(t)
    const first = openTrials(store, { clocks })
    const { changeId } = await first.try(directory, 60)
    await first.executor.close() // with 60 seconds left
    assert.deepEqual([await outcomeOf(changeId), fileState(directory)], ['provisional', wanted])
    assert.equal(await clocks.state(clockName(changeId)), 'armed')
    const next = openTrials(store, { clocks })
    await next.recover()
    assert.equal(next.executor.locks.isFree([parcelLock]), false)
    await next.confirm(changeId)
    assert.equal(await outcomeOf(changeId), 'ok')
    await next.executor.close()
  })

  it('is a bug without steps, without an undo for one of them, without a limit, and without clocks', async (t) => {
    const { directory, store, clocks } = await scratch(t)
    const { executor } = openTrials(store, { clocks })
    const decide = (more: object) =>
      orderOf(async () => ({ ...trial(store, { seconds: 60, directory }), ...more }))
    const unarmed = step(fileStep('file.write'), { path: `${directory}/a`, text: 'new' })
    await assert.rejects(executor.execute(decide({ steps: [] })), /has no steps/)
    await assert.rejects(executor.execute(decide({ steps: [unarmed] })), /file.write .* without the panel/)
    await assert.rejects(executor.plan(decide({ steps: [unarmed] }).decide), /without the panel/)
    await assert.rejects(executor.execute(decide({ provisional: 0 })), /1 to 3600 seconds/)
    assert.throws(() => executor.assertStorable(trial(store, { seconds: 60, directory })), /job/)
    const without = openTrials(store, {
      clocks: { ...clocks, start: () => Promise.reject(new Error('no clocks')) },
    })
    await assert.rejects(without.try(directory, 60), /no clocks/)
    assert.deepEqual(fileState(directory), former)
    assert.equal(without.executor.locks.isFree([parcelLock]), true)
  })

  it('answers a repeat with its key while it waits', async (t) => {
    const { directory, store, clocks } = await scratch(t)
    const { executor, ...trials } = openTrials(store, { clocks })
    const idempotency = { key: 'once', digest: 'd' }
    const order = orderOf(async () => trial(store, { seconds: 60, directory }), { idempotency })
    const { reply, changeId } = await executor.execute(order)
    assert.deepEqual(await executor.execute(order), { reply, changeId, isRepeat: true })
    await trials.cancel(changeId)
    await executor.close()
  })
})

describe('the clock of an undone change', { timeout: 300_000 }, () => {
  it('has ended, so that it cannot strike into the files of the next change', async (t) => {
    const { directory, store, outcomeOf } = await scratch(t)
    const clocks = realClocks(`${directory}/real`)
    const trials = openTrials(store, { clocks })
    const { changeId } = await trials.try(directory, 600)
    await trials.cancel(changeId)
    await until(async () => !(await clocks.isRunning(clockName(changeId))))
    writeFileSync(`${directory}/a`, 'as before')
    const write = step(armedFile(), { path: `${directory}/a`, text: 'of the next change' })
    const decide = () => change({ summary: 'Next', locks: [parcelLock], steps: [write], reply: null })
    const next = await trials.carryOut(decide)
    assert.deepEqual([await outcomeOf(changeId), await outcomeOf(next.changeId)], ['cancelled', 'ok'])
    assert.equal(fileState(directory)[0], 'of the next change')
    await trials.executor.close()
  })

  it('is waited for once it has struck', async (t) => {
    const { directory, strike, clocks } = await scratch(t)
    const clock = changeClock(clocks, 5, 60)
    await clock.start()
    await clock.arm(0, [process.execPath, '-e', restore, '--', `${directory}/a`, 'of the clock'])
    const struck = strike(clockName(5))
    await until(async () => (await clocks.state(clockName(5))) !== 'armed')
    await clock.silence()
    assert.equal(fileState(directory)[0], 'of the clock')
    await struck
  })
})
