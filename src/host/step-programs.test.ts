import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { until } from '../../test/support/until.ts'
import { openExecutor } from '../changes/executor.ts'
import { recover } from '../changes/recover.ts'
import { kindsOf, openParcels, orderOf, quiet } from '../changes/testing/parcel.ts'
import { actingStep } from '../core/acting.ts'
import { BadRequest } from '../core/problem.ts'
import { change, step, type StepKind } from '../core/change.ts'
import { run } from './run.ts'
import { openStepPrograms } from './step-programs.ts'

const programs = openStepPrograms()

/** A directory that is removed with the test; the program below writes `started` and `done` there. */
function scratch(t: TestContext): string {
  const directory = mkdtempSync('/tmp/hostreeve-step-programs-')
  t.after(() => rmSync(directory, { recursive: true }))
  return directory
}

/** A program that starts another one, and ends once there is a file `go`. */
const waiting = (directory: string, first = ''): readonly [string, ...string[]] => [
  'sh',
  '-c',
  `${first} cd "$1"; (until [ -e go ]; do sleep 0.02; done; echo > done) & echo > started; wait`,
  'sh',
  directory,
]

const start = (token: string, argv: readonly [string, ...string[]]) =>
  actingStep.run({ token }, () => run(argv, { timeoutMs: 20_000 }))

const has = (directory: string, name: string): boolean => existsSync(`${directory}/${name}`)
const startedIn = (directory: string) => until(() => has(directory, 'started'))

describe('the programs of a step', { timeout: 300_000 }, () => {
  it('are ended with what they started, and those of other steps stay', async (t) => {
    const [mine, other] = [scratch(t), scratch(t)]
    const ended = start('90001:1', waiting(mine))
    const goesOn = start('90001:10', waiting(other))
    await Promise.all([startedIn(mine), startedIn(other)])
    await programs.end('90001:1')
    writeFileSync(`${mine}/go`, '')
    writeFileSync(`${other}/go`, '')
    assert.deepEqual([(await ended).code, (await goesOn).code], [143, 0])
    assert.deepEqual([has(mine, 'done'), has(other, 'done')], [false, true])
  })

  it('are ended by force where they do not end', async (t) => {
    const directory = scratch(t)
    const ended = start('90002:0', waiting(directory, 'trap "" TERM;'))
    await startedIn(directory)
    await programs.end('90002:0')
    assert.equal((await ended).code, 137)
  })

  it('are awaited until the last of them has ended, or the panel stops', async (t) => {
    const directory = scratch(t)
    const ended = start('90003:0', waiting(directory))
    await startedIn(directory)
    await assert.rejects(programs.await('90003:0', AbortSignal.timeout(150)), { name: 'AbortError' })
    writeFileSync(`${directory}/go`, '')
    await programs.await('90003:0', AbortSignal.timeout(60_000))
    assert.equal(has(directory, 'done'), true)
    assert.equal((await ended).code, 0)
  })
})

describe('the output of a lasting program', { timeout: 300_000 }, () => {
  it('is read from its beginning, and while it is written, by a panel that awaits it', async (t) => {
    const directory = scratch(t)
    const argv = waiting(directory, 'echo first; echo warning >&2;')
    const ended = actingStep.run({ token: '90004:0' }, () => run(argv, { isLasting: true }))
    await startedIn(directory)
    const lines: string[] = []
    const awaited = programs.await('90004:0', AbortSignal.timeout(60_000), (line) => lines.push(line))
    await until(() => lines.length === 2)
    assert.deepEqual(lines, ['first', 'warning'])
    writeFileSync(`${directory}/go`, '')
    await awaited
    assert.equal((await ended).code, 0)
  })
})

interface Args {
  readonly directory: string
}

/** A step whose panel is killed while its program runs. */
function cutOffKind(orphans: 'end' | 'await'): StepKind<Args, null, null> {
  return {
    name: 'program.wait',
    orphans,
    plan: () => ({ title: 'Wait' }),
    observe: async () => null,
    act: async ({ directory }) => {
      await run(waiting(directory))
      return new Promise(() => {})
    },
    undo: async ({ directory }) => rmSync(`${directory}/started`),
    check: async ({ directory }) => (has(directory, 'done') ? 'wanted' : 'other'),
  }
}

describe('a recovery', { timeout: 300_000 }, () => {
  for (const [orphans, outcome] of [
    ['await', 'ok'],
    ['end', 'restored'],
  ] as const)
    it(`of a step with orphans to ${orphans} settles them before it looks`, async (t) => {
      const directory = scratch(t)
      const store = await openParcels()
      t.after(() => store.close())
      const kind = cutOffKind(orphans)
      const executor = openExecutor({ store, log: quiet })
      const decide = async () => change({ summary: 'Wait', steps: [step(kind, { directory })], reply: null })
      void executor.execute(orderOf(decide))
      await startedIn(directory)
      const row = await store.db.selectFrom('changes').selectAll().executeTakeFirstOrThrow()
      const stop = AbortSignal.timeout(60_000)
      const { unsettled } = executor
      const recovery = recover(
        { store, log: quiet, unsettled, isWork: () => false, programs, stop },
        kindsOf(kind),
        row,
      )
      if (orphans === 'await') writeFileSync(`${directory}/go`, '')
      assert.equal((await recovery).outcome, outcome)
      assert.deepEqual(
        [has(directory, 'done'), has(directory, 'started')],
        [outcome === 'ok', outcome === 'ok'],
      )
    })
})

describe('an undo', { timeout: 300_000 }, () => {
  it('waits for a program that goes on after the act has failed, which would do it again', async (t) => {
    const directory = scratch(t)
    const store = await openParcels()
    t.after(() => store.close())
    const wasDone: boolean[] = []
    const kind: StepKind<Args, null, null> = {
      ...cutOffKind('await'),
      act: async () => {
        void run(waiting(directory))
        await startedIn(directory)
        throw BadRequest('its reader was ended')
      },
      undo: async () => void wasDone.push(has(directory, 'done')),
    }
    const executor = openExecutor({ store, log: quiet, programs })
    const decide = async () => change({ summary: 'Wait', steps: [step(kind, { directory })], reply: null })
    const failed = assert.rejects(executor.execute(orderOf(decide)), /its reader was ended/)
    await startedIn(directory)
    assert.deepEqual(wasDone, [])
    writeFileSync(`${directory}/go`, '')
    await failed
    assert.deepEqual(wasDone, [true])
  })
})
