import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { Caller } from '../../core/caller.ts'
import type { StepKind, StepRun } from '../../core/change.ts'
import { BadRequest } from '../../core/problem.ts'
import type { WorkKind } from '../../core/job.ts'
import type { Store } from '../../store/store.ts'
import { openParcels } from '../testing/parcel.ts'
import { openWorkBench, person, sending } from './testing/bench.ts'

interface Args {
  readonly path: string
  readonly text: string | null
}

const whole = 'as it shall be'
const resuming = { resumes: true }
let directory: string
let store: Store
/** What each act found, in order. */
let found: (string | null)[]
let bench: ReturnType<typeof openWorkBench>
beforeEach(async () => {
  directory = mkdtempSync('/tmp/hostreeve-continues-')
  store = await openParcels(directory)
  found = []
})
afterEach(async () => {
  await bench.close()
  await store.close()
  rmSync(directory, { recursive: true })
})

const first = () => `${directory}/first`
const read = () => (existsSync(first()) ? readFileSync(first(), 'utf8') : null)

/** A step that writes the first half of a file, and goes on to the whole as `goOn` lets it. */
const halves = (goOn: (run: StepRun<unknown>) => Promise<void>): StepKind<Args, null, object> => ({
  name: 'file.write',
  continues: true,
  plan: ({ path }) => ({ title: `Write ${path}` }),
  observe: async () => null,
  act: async ({ path }, run) => {
    if (path === first()) {
      found.push(read())
      writeFileSync(path, whole.slice(0, 5))
      await goOn(run)
      writeFileSync(path, whole)
    }
    return { wrote: path }
  },
  undo: async ({ path }) => rmSync(path, { force: true }),
  check: async () => (read() === null ? 'before' : 'other'),
})

/** Stops the panel while the first step has written half. */
async function stopHalfway(work: Partial<WorkKind> = resuming): Promise<number> {
  const begun = Promise.withResolvers<void>()
  const untilStopped = async ({ signal }: StepRun<unknown>) => {
    begun.resolve()
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  bench = openWorkBench(store, { kind: halves(untilStopped), work })
  await bench.start()
  const { jobId } = await bench.work.ask(bench.asked(directory))
  await begun.promise
  await bench.close()
  return jobId
}

const open = (callerOf: () => Promise<Caller | undefined> = async () => person) =>
  (bench = openWorkBench(store, { kind: halves(async () => {}), work: resuming, callerOf }))
const end = async (jobId: number) => {
  await bench.recoverAndStart()
  await bench.work.ended(jobId, AbortSignal.timeout(60_000))
}
const stored = async () => {
  const [job] = await store.db.selectFrom('jobs').select('state').execute()
  const entries = await store.db.selectFrom('activity').select('status').execute()
  return [job?.state, ...entries.map(({ status }) => status)]
}

describe('a step that continues', { timeout: 300_000 }, () => {
  it('finds at its next turn what the stop of the panel left, and is recorded once', async () => {
    const jobId = await stopHalfway()
    assert.deepEqual([await stored(), read()], [['queued'], whole.slice(0, 5)])
    open()
    await end(jobId)
    assert.deepEqual([found, read(), await stored()], [[null, whole.slice(0, 5)], whole, ['succeeded', 'ok']])
  })

  it('is undone if its work is cancelled before the next turn', async () => {
    const jobId = await stopHalfway()
    open()
    await bench.work.recover(new Map([['file.write', halves(async () => {})]]))
    assert.equal(await bench.work.cancelQueued(jobId), true)
    assert.deepEqual([read(), await stored()], [null, ['cancelled', 'cancelled']])
  })

  it('is undone if its caller may ask for it no longer', async () => {
    const jobId = await stopHalfway()
    open(async () => undefined)
    await end(jobId)
    assert.deepEqual([found.length, read(), await stored()], [1, null, ['failed', 'failed']])
  })

  it('is undone as any other if it fails', async () => {
    const jobId = await stopHalfway()
    const failing = async () => {
      throw BadRequest('the rest is gone')
    }
    bench = openWorkBench(store, { kind: halves(failing), work: resuming })
    await end(jobId)
    assert.deepEqual([found.length, read(), await stored()], [2, null, ['failed', 'restored']])
  })

  it('is undone before other work if the next decision has other steps', async () => {
    const jobId = await stopHalfway()
    const elsewhere: typeof sending.decide = (request) =>
      sending.decide({ ...request, input: { ...request.input, directory: `${directory}/..` } })
    bench = openWorkBench(store, {
      kind: halves(async () => {}),
      work: { ...resuming, decide: elsewhere },
    })
    await end(jobId)
    assert.deepEqual([found.length, read()], [1, null])
  })

  it('is not queued again, but undone, if its work does not resume', async () => {
    await stopHalfway({})
    assert.deepEqual([read(), await stored()], [null, ['interrupted', 'restored']])
  })
})

describe('work of which a caller may have only a few', { timeout: 300_000 }, () => {
  it('is refused beyond that, also when it is asked for at once, and to plans', async () => {
    const most = { perCaller: 2, refusal: (count: number) => BadRequest(`${count} are waiting`) }
    bench = openWorkBench(store, { kind: halves(async () => {}), work: { most } })
    const asking = ['a', 'b', 'c', 'd'].map((label) => bench.work.ask(bench.asked(directory, { label })))
    const ends = await Promise.allSettled(asking)
    assert.deepEqual(
      ends.map(({ status }) => status).toSorted(), // whichever are first
      ['fulfilled', 'fulfilled', 'rejected', 'rejected'],
    )
    await assert.rejects(bench.work.plan(bench.asked(directory, { label: 'e' })), {
      message: '2 are waiting',
    })
    const other = { ...person, user: { ...person.user, id: 2 } }
    await bench.work.ask(bench.asked(directory, { label: 'f', caller: other }))
  })
})
