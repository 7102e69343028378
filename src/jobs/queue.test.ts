import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { sql } from 'kysely'
import Type from 'typebox'
import type { Log } from '../core/endpoint.ts'
import type { JobKind, JobRun } from '../core/job.ts'
import { DiskFailed, problem } from '../core/problem.ts'
import { ConnectionLost } from '../store/disk-failures.ts'
import { fillDisk } from '../store/testing/full-disk.ts'
import type { Store } from '../store/store.ts'
import { openTestStore } from '../store/testing/open-test-store.ts'
import { hangMs } from '../../test/support/until.ts'
import { type Jobs, openJobs } from './queue.ts'
import { jobMigrations, type JobState } from './tables.ts'

const over: ReadonlySet<JobState> = new Set(['succeeded', 'failed', 'cancelled', 'interrupted'])
const Refused = problem('refused', 400, 'It was refused')

let store: Store
let jobs: Jobs
let errors: string[]
let refused: number
const log: Log = { info: () => {}, warn: () => {}, error: (_fields, message) => void errors.push(message) }

beforeEach(async () => {
  errors = []
  store = await openTestStore({ now: new Date(), migrations: jobMigrations })
  refused = 0
  const counted: Store = {
    ...store,
    transaction: (work) =>
      store.transaction(work).catch((error) => {
        refused += 1
        throw error
      }),
  }
  jobs = openJobs(counted, log, { retryMs: 20, storeRetryMs: 10 })
})
afterEach(async () => {
  await jobs.stop()
  await store.close()
})

const kindOf = (run: (job: JobRun<any>) => Promise<unknown>, more: Partial<JobKind> = {}): JobKind => ({
  kind: 'test.work',
  input: Type.Object({}),
  timeoutMs: 10_000,
  attempts: 1,
  resumes: false,
  run,
  ...more,
})
const start = (queue: Jobs, ...kinds: readonly JobKind[]) =>
  queue.start(kinds.map((kind) => ({ kind, context: {} })))
const enqueue = (input: unknown = {}, kind = 'test.work') =>
  jobs.enqueue({ kind, input, ownerId: 3, title: 'Work' })
const row = async (id: number) => ({
  ...(await store.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()),
})

async function until<Value>(read: () => Promise<Value>, isRight: (value: Value) => boolean): Promise<Value> {
  for (const limit = Date.now() + hangMs; ;) {
    const value = await read()
    if (isRight(value)) return value
    assert.ok(Date.now() < limit, `still ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
const finished = (id: number) =>
  until(
    () => row(id),
    ({ state }) => over.has(state),
  )
const untilState = (id: number, state: JobState) =>
  until(
    () => row(id),
    (job) => job.state === state,
  )

async function follow(
  id: number,
  afterSeq = 0,
  signal = new AbortController().signal,
): Promise<readonly { seq: number; message: string }[]> {
  const seen: { seq: number; message: string }[] = []
  for await (const { seq, message } of jobs.feed.follow(id, afterSeq, signal)) seen.push({ seq, message })
  return seen
}

/** A run that reports its start and continues until its signal ends. */
function waiting() {
  let begun = () => {}
  const started = new Promise<void>((resolve) => (begun = resolve))
  const run = ({ signal }: JobRun<unknown>) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      begun()
    })
  return { started, run }
}

describe('a job', () => {
  it('runs with its input, tells progress and output, and keeps its result', async () => {
    await start(
      jobs,
      kindOf(async ({ input, progress, output }) => {
        await progress(40.4, 'Half way')
        await output('line of the tool')
        return { sum: input.a + input.b }
      }),
    )
    const id = await enqueue({ a: 1, b: 2 })
    const { state, percent, result, attempt, finished_at, owner_id } = await finished(id)
    assert.deepEqual(
      { state, percent, result, attempt, owner_id },
      { state: 'succeeded', percent: 100, result: '{"sum":3}', attempt: 1, owner_id: 3 },
    )
    assert.ok(finished_at)
    assert.deepEqual(
      (await follow(id)).map(({ message }) => message),
      ['Started', 'Half way', 'line of the tool', 'Done'],
    )
  })

  it('leaves workers to others, however many of its lane wait', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    let [now, most] = [0, 0]
    const slow = kindOf(
      async () => {
        most = Math.max(most, (now += 1))
        await opened
        now -= 1
      },
      { lane: 'network' },
    )
    await start(
      jobs,
      slow,
      kindOf(async () => ({}), { kind: 'test.other' }),
    )
    const waiting = [await enqueue(), await enqueue(), await enqueue(), await enqueue(), await enqueue()]
    assert.equal((await finished(await enqueue({}, 'test.other'))).state, 'succeeded')
    assert.equal(now, 2)
    open()
    for (const id of waiting) assert.equal((await finished(id)).state, 'succeeded')
    assert.equal(most, 2)
  })

  it('keeps its input sealed at rest', async () => {
    const id = await enqueue({ password: 'correct horse' })
    assert.ok(!JSON.stringify(await row(id)).includes('correct'))
  })

  it('runs once its transaction has committed, and never when that was rolled back', async () => {
    let runs = 0
    await start(
      jobs,
      kindOf(async () => void (runs += 1)),
    )
    await finished(await enqueue())
    assert.equal(runs, 1)
  })

  it('fails with the words of its problem, and without those of a bug, which the log gets', async () => {
    await start(
      jobs,
      kindOf(async () => Promise.reject(Refused('disk: is full'))),
      kindOf(async () => Promise.reject(new Error('secret path')), { kind: 'test.bug' }),
    )
    assert.deepEqual(await finished(await enqueue()).then(({ state, error }) => [state, error]), [
      'failed',
      'disk: is full',
    ])
    assert.deepEqual(errors, [])
    const id = await enqueue({}, 'test.bug')
    assert.equal(
      (await finished(id)).error,
      `An internal error: the log of the panel names it under job ${id}`,
    )
    assert.deepEqual(errors, ['a job failed'])
  })

  it('is tried again later after a bug, as often as its kind allows, and not after a problem', async () => {
    const attempts: number[] = []
    await start(
      jobs,
      kindOf(
        async ({ attempt }) => {
          attempts.push(attempt)
          throw attempt < 3 ? new Error('flaky') : Refused('no use')
        },
        { attempts: 5 },
      ),
    )
    const { state, attempt } = await finished(await enqueue())
    assert.deepEqual([attempts, state, attempt], [[1, 2, 3], 'failed', 3])
  })

  it('is tried again after a failure of the store, which the log gets', async () => {
    await start(
      jobs,
      kindOf(
        async ({ attempt }) => {
          if (attempt === 1) await sql`select 1 from no_such_table`.execute(store.db)
        },
        { attempts: 2 },
      ),
    )
    const { state, attempt } = await finished(await enqueue())
    assert.deepEqual([state, attempt, errors], ['succeeded', 2, ['a job failed']])
  })

  it('is tried again where the database could not be reached, which is no refusal', async () => {
    await start(
      jobs,
      kindOf(
        async ({ attempt }) => {
          if (attempt === 1) throw DiskFailed('away', { cause: new ConnectionLost(new Error('it ended')) })
        },
        { attempts: 2 },
      ),
    )
    const { state, attempt } = await finished(await enqueue())
    assert.deepEqual([state, attempt], ['succeeded', 2])
  })

  it('waits longer before each further attempt', async () => {
    const at: number[] = []
    await start(
      jobs,
      kindOf(
        async () => {
          at.push(performance.now())
          throw new Error('flaky')
        },
        { attempts: 3 },
      ),
    )
    await finished(await enqueue())
    assert.ok(
      (at[1] as number) - (at[0] as number) >= 19 && (at[2] as number) - (at[1] as number) >= 39,
      String(at),
    )
  })

  it('ends at its time limit', async () => {
    await start(jobs, kindOf(waiting().run, { timeoutMs: 20 }))
    assert.deepEqual(await finished(await enqueue()).then(({ state, error }) => [state, error]), [
      'failed',
      'The time limit was reached',
    ])
  })

  it('of a kind that no area knows fails', async () => {
    await start(
      jobs,
      kindOf(async () => {}),
    )
    assert.match((await finished(await enqueue({}, 'gone.kind'))).error ?? '', /No area of this panel knows/)
  })

  it('waits while six others run', async () => {
    const six = waiting()
    await start(jobs, kindOf(six.run))
    const ids = []
    for (let count = 0; count < 7; count++) ids.push(await enqueue())
    await untilState(ids[5] as number, 'running')
    assert.equal((await row(ids[6] as number)).state, 'queued')
    await jobs.cancel(ids[0] as number)
    await untilState(ids[6] as number, 'running')
  })
})

describe('the time of a queued job', () => {
  const queueFor = async (fromNowMs: number) => {
    const id = await enqueue()
    const run_after = new Date(Date.now() + fromNowMs).toISOString()
    await store.db.updateTable('jobs').set({ run_after }).where('id', '=', id).execute()
    return id
  }

  it('is waited for where it is no longer away than the longest wait for another attempt', async () => {
    const ids = [await queueFor(59_000), await queueFor(-1)]
    await start(
      jobs,
      kindOf(async () => {}),
    )
    await finished(ids[1]!)
    assert.equal((await row(ids[0]!)).state, 'queued')
  })

  for (const [name, ms] of [
    ['two minutes', 120_000],
    ['a day', 86_400_000],
    ['400 days', 400 * 86_400_000],
  ] as const) {
    it(`keeps no job waiting after the clock was set back by ${name}`, async () => {
      const id = await queueFor(ms)
      await start(
        jobs,
        kindOf(async () => {}),
      )
      assert.equal((await finished(id)).state, 'succeeded')
    })
  }
})

describe('the names of a job that waits for its next attempt', () => {
  it('are kept for it against later jobs', async () => {
    const started: number[] = []
    const [first, later, other] = [await enqueue(), await enqueue(), await enqueue()]
    const set = (id: number, values: { readonly locks?: string; readonly run_after?: string }) =>
      store.db.updateTable('jobs').set(values).where('id', '=', id).execute()
    const again = new Date(Date.now() + 50_000).toISOString()
    await set(first, { locks: '["box:a"]', run_after: again })
    await set(later, { locks: '["box:a"]' })
    await set(other, { locks: '["box:b"]' })
    await start(
      jobs,
      kindOf(async ({ jobId }) => void started.push(jobId)),
    )
    await finished(other)
    assert.deepEqual(started, [other])
    await set(first, { run_after: new Date().toISOString() })
    await jobs.pick()
    await finished(later)
    assert.deepEqual(started, [other, first, later])
  })
})

describe('cancelling', () => {
  it('keeps a job that waits from ever starting, and ends its followers', async () => {
    const id = await enqueue()
    const following = follow(id)
    await jobs.cancel(id)
    await start(
      jobs,
      kindOf(async () => assert.fail('it ran')),
    )
    assert.deepEqual([(await row(id)).state, await following], ['cancelled', []])
  })

  it('ends a job that runs', async () => {
    const { started, run } = waiting()
    await start(jobs, kindOf(run))
    const id = await enqueue()
    await started
    await jobs.cancel(id)
    const { state, is_cancelling } = await finished(id)
    assert.deepEqual([state, is_cancelling], ['cancelled', 1])
  })

  it('changes nothing about a job that is over', async () => {
    await start(
      jobs,
      kindOf(async () => 1),
    )
    const id = await enqueue()
    await finished(id)
    await jobs.cancel(id)
    assert.equal((await row(id)).state, 'succeeded')
  })
})

describe('a restart', () => {
  it('resumes a job that can begin again, reports one that cannot, and finishes a cancelling', async () => {
    const [resumable, other, cancelled] = [
      await enqueue({}, 'test.resumes'),
      await enqueue({}, 'test.once'),
      await enqueue({}, 'test.resumes'),
    ]
    await store.db.updateTable('jobs').set({ state: 'running', attempt: 1 }).execute()
    await store.db.updateTable('jobs').set({ is_cancelling: 1 }).where('id', '=', cancelled).execute()
    await start(
      jobs,
      kindOf(async ({ attempt }) => attempt, { kind: 'test.resumes', resumes: true }),
      kindOf(async () => 1, { kind: 'test.once' }),
    )
    assert.deepEqual(await finished(resumable).then(({ state, result }) => [state, result]), [
      'succeeded',
      '2',
    ])
    assert.deepEqual([(await row(other)).state, (await row(cancelled)).state], ['interrupted', 'cancelled'])
  })

  it('gives up on a job that has seen several: it may be what ends the panel', async () => {
    const id = await enqueue()
    await store.db.updateTable('jobs').set({ state: 'running', attempt: 4 }).execute()
    await start(
      jobs,
      kindOf(async () => assert.fail('it ran'), { resumes: true }),
    )
    assert.equal((await row(id)).state, 'interrupted')
  })

  it('in good order queues what resumes and interrupts the rest', async () => {
    const { run } = waiting()
    await start(
      jobs,
      kindOf(run, { kind: 'test.resumes', resumes: true }),
      kindOf(run, { kind: 'test.once' }),
    )
    const [first, second] = [await enqueue({}, 'test.resumes'), await enqueue({}, 'test.once')]
    await untilState(first, 'running')
    await untilState(second, 'running')
    await jobs.stop()
    assert.deepEqual([(await row(first)).state, (await row(second)).state], ['queued', 'interrupted'])
  })

  it('leaves no job running that was enqueued while the panel stopped', async () => {
    const { run } = waiting()
    await start(jobs, kindOf(run))
    const enqueued = Promise.all(Array.from({ length: 4 }, () => enqueue()))
    await jobs.stop()
    for (const id of await enqueued) assert.ok(['queued', 'interrupted'].includes((await row(id)).state))
  })
})

describe('a full disk', () => {
  const tables = ['jobs', 'job_events']
  const logged = (message: string) =>
    until(
      async () => errors,
      (all) => all.includes(message),
    )

  it('ends a job that ran meanwhile as soon as there is room, with all its events, and logs that once', async () => {
    const { promise: room, resolve: makeRoom } = Promise.withResolvers<void>()
    await start(
      jobs,
      kindOf(async ({ output }) => {
        for (let line = 0; line < 250; line++) await output(`line ${line}`)
        await room
        return 'done'
      }),
    )
    const id = await enqueue()
    await untilState(id, 'running')
    const { free } = await fillDisk(store, tables)
    makeRoom()
    await logged('the end of a job waits until the disk can be written')
    const before = refused
    await until(
      async () => refused,
      (count) => count > before + 2,
    )
    assert.equal((await row(id)).state, 'running')
    await free()
    const { state, result } = await finished(id)
    assert.deepEqual([state, result], ['succeeded', '"done"'])
    const lines = Array.from({ length: 250 }, (_, line) => `line ${line}`)
    const events = await follow(id)
    assert.deepEqual(
      events.map(({ message }) => message),
      ['Started', ...lines, 'Done'],
    )
    assert.deepEqual(errors, ['the end of a job waits until the disk can be written'])
  })

  it('starts a job that waited as soon as there is room', async () => {
    const id = await enqueue()
    const { free } = await fillDisk(store, tables)
    await start(
      jobs,
      kindOf(async () => 1),
    )
    await logged('picking jobs failed')
    assert.equal((await row(id)).state, 'queued')
    await free()
    assert.equal((await finished(id)).state, 'succeeded')
    assert.deepEqual(errors, ['picking jobs failed'])
  })

  it('keeps the events of a job that goes on after it', async () => {
    const { promise: freed, resolve: goOn } = Promise.withResolvers<void>()
    await start(
      jobs,
      kindOf(async ({ output }) => {
        for (let line = 0; line < 120; line++) await output(`line ${line}`)
        await freed
        await output('the last line')
      }),
    )
    const { free } = await fillDisk(store, ['job_events'])
    const id = await enqueue()
    await until(
      async () => refused,
      (count) => count > 0,
    )
    await free()
    goOn()
    await finished(id)
    const seen = await follow(id)
    assert.deepEqual([seen.length, seen.at(-2)?.message, seen.at(-1)?.seq], [123, 'the last line', 123])
  })

  it('does not keep the panel from stopping', async () => {
    await start(jobs, kindOf(waiting().run))
    const id = await enqueue()
    await untilState(id, 'running')
    await fillDisk(store, tables)
    await jobs.stop()
    assert.ok(errors.includes('settling a job failed'))
  })
})

describe('the events of a job', () => {
  it('reach a reader that follows while they are written, all and in order, and then it ends', async () => {
    await start(
      jobs,
      kindOf(async ({ output }) => {
        for (let line = 0; line < 1000; line++) {
          await output(`line ${line}`)
          if (line % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
        }
      }),
    )
    const id = await enqueue()
    const seen = await follow(id)
    assert.deepEqual(
      seen.map(({ seq }) => seq),
      Array.from({ length: 1002 }, (_, index) => index + 1),
    )
    assert.deepEqual(
      seen.filter(({ message }) => message.startsWith('line')).map(({ message }) => message),
      Array.from({ length: 1000 }, (_, line) => `line ${line}`),
    )
  })

  it('go on after the last one that a reader saw', async () => {
    await start(
      jobs,
      kindOf(async ({ output }) => {
        for (let line = 0; line < 10; line++) await output(`line ${line}`)
      }),
    )
    const id = await enqueue()
    await finished(id)
    assert.deepEqual(
      (await follow(id, 9)).map(({ message }) => message),
      ['line 8', 'line 9', 'Done'],
    )
    assert.deepEqual(await follow(id, 12), [])
  })

  it('miss nothing when a reader comes and goes while they are written', async () => {
    const written = 400
    await start(
      jobs,
      kindOf(async ({ output }) => {
        for (let line = 0; line < written; line++) {
          await output(`line ${line}`)
          await new Promise((resolve) => setImmediate(resolve))
        }
      }),
    )
    const id = await enqueue()
    const seen: number[] = []
    while (seen.length < written + 2) {
      for await (const { seq } of jobs.feed.follow(id, seen.at(-1) ?? 0, new AbortController().signal)) {
        seen.push(seq)
        if (seq % 37 === 0) break
      }
    }
    assert.deepEqual(
      seen,
      Array.from({ length: written + 2 }, (_, index) => index + 1),
    )
  })

  it('are bounded: the flood of a tool is cut with a word about it, and how it ended is still told', async () => {
    await start(
      jobs,
      kindOf(async ({ output }) => {
        for (let line = 0; line < 20_000; line++) await output('x'.repeat(5000))
      }),
    )
    const id = await enqueue()
    await finished(id)
    const seen = await follow(id)
    assert.ok(seen.length < 5200, String(seen.length))
    assert.deepEqual(
      seen.slice(-2).map(({ message }) => message),
      ['… more output than is kept', 'Done'],
    )
    assert.ok(seen.every(({ message }) => message.length <= 2000))
  })

  it('hold the newest progress only where it comes faster than it is written', async () => {
    await start(
      jobs,
      kindOf(async ({ progress }) => {
        for (let percent = 0; percent <= 1000; percent++) await progress(percent, `at ${percent}`)
      }),
    )
    const id = await enqueue()
    await finished(id)
    assert.deepEqual(
      (await follow(id)).map(({ message }) => message),
      ['Started', 'at 1000', 'Done'],
    )
  })

  it('stop coming to a reader that left', async () => {
    const { started, run } = waiting()
    await start(jobs, kindOf(run))
    const id = await enqueue()
    await started
    const leaving = new AbortController()
    const following = follow(id, 0, leaving.signal)
    leaving.abort()
    await following
    assert.deepEqual(await follow(id, 0, AbortSignal.abort()), [])
  })
})

it('a schedule enqueues its job', async () => {
  let runs = 0
  await start(
    jobs,
    kindOf(async () => void (runs += 1), { schedule: '* * * * * *' }),
  )
  await until(
    async () => runs,
    (count) => count > 0,
  )
})

it('a schedule lets its last job end before it enqueues the next', async () => {
  let running = 0
  let most = 0
  const firstSecond = Math.floor(performance.now() / 1000)
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  await start(
    jobs,
    kindOf(
      async ({ signal }) => {
        most = Math.max(most, (running += 1))
        await Promise.race([
          enough,
          new Promise((ended) => signal.addEventListener('abort', ended, { once: true })),
        ])
        running -= 1
      },
      { schedule: '* * * * * *' },
    ),
  )
  await until(
    async () => Math.floor(performance.now() / 1000) - firstSecond,
    (seconds) => seconds >= 3 && most > 0,
  )
  const { total } = await store.db
    .selectFrom('jobs')
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  resolve()
  assert.deepEqual({ most, total: Number(total) }, { most: 1, total: 1 })
})
