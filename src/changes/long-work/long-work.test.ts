import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { sql } from 'kysely'
import { change, step, type StepKind } from '../../core/change.ts'
import type { WorkKind } from '../../core/job.ts'
import { from } from '../../core/returned.ts'
import { problem } from '../../core/problem.ts'
import type { WorkEvent } from '../../core/reply.ts'
import type { Store } from '../../store/store.ts'
import { openParcels, orderOf } from '../testing/parcel.ts'
import { boxLock, foundAgain, openWorkBench, sending } from './testing/bench.ts'

let store: Store
let directory: string
let bench: ReturnType<typeof openWorkBench>
beforeEach(async () => {
  directory = mkdtempSync('/tmp/hostreeve-work-')
  store = await openParcels()
})
afterEach(async () => {
  await bench.close()
  await store.close()
  rmSync(directory, { recursive: true })
})

const limit = () => AbortSignal.timeout(60_000)
const jobOf = (id: number) =>
  store.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const changeOf = (id: number) =>
  store.db.selectFrom('changes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const entries = async () =>
  (await store.db.selectFrom('activity').select(['status', 'message']).execute()).map((row) => ({ ...row }))
const endOf = async ({ jobId, changeId }: { readonly jobId: number; readonly changeId: number }) => {
  const { state, input } = await jobOf(jobId)
  return { job: state, input, outcome: (await changeOf(changeId)).outcome, entries: await entries() }
}

/** A step on a file that runs until the test releases it, or its signal ends. */
function waiting() {
  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const written = foundAgain()
  const kind: StepKind<any, any, any> = {
    ...written,
    act: async (args, run) => {
      run.progress(50, `with ${'open sesame'}`)
      run.output('the password is open sesame')
      begun.resolve()
      const aborted = new Promise((_resolve, reject) =>
        run.signal.addEventListener('abort', () => reject(new Error('broken off'))),
      )
      await Promise.race([go.promise, aborted])
      return written.act(args, run)
    },
  }
  return { kind, begun: begun.promise, go: () => go.resolve() }
}

/** Its change cannot be recorded at its turn, as by a bug. */
const unrecordable = {
  decide: async (asked: Parameters<typeof sending.decide>[0]) => {
    const decided = await sending.decide(asked)
    return asked.jobId === undefined ? decided : { ...decided, summary: null as never }
  },
} as Partial<WorkKind>

describe('long work', () => {
  it('is decided at the request and at its turn, fills in what its steps return, and ends with its job', async () => {
    bench = openWorkBench(store)
    const ordered = await bench.work.ask(bench.asked(directory))
    assert.deepEqual(
      [(await changeOf(ordered.changeId)).state, (await jobOf(ordered.jobId)).state],
      ['queued', 'queued'],
    )
    const ended = bench.work.ended(ordered.jobId, limit())
    await bench.start()
    assert.deepEqual(await ended, { reply: { id: 7, wrote: `${directory}/first` } })
    assert.deepEqual(bench.decisions, [undefined, ordered.jobId])
    assert.equal(readFileSync(`${directory}/next`, 'utf8'), `${directory}/first`)
    const end = { job: 'succeeded', input: '', outcome: 'ok' }
    assert.deepEqual(await endOf(ordered), { ...end, entries: [{ status: 'ok', message: 'Send box' }] })
  })

  it('has a plan that names what a step will return, and nothing happens', async () => {
    bench = openWorkBench(store)
    const { steps } = await bench.work.plan(bench.asked(directory))
    assert.equal(steps.length, 3)
    assert.equal((await store.db.selectFrom('jobs').select('id').execute()).length, 0)
  })

  it('that is refused at its turn ends as failed, with an entry, and tells why', async () => {
    bench = openWorkBench(store)
    const ordered = await bench.work.ask(bench.asked(directory))
    await store.db.insertInto('parcels').values({ id: 1, label: 'box taken', revision: 1 }).execute()
    const ended = bench.work.ended(ordered.jobId, limit())
    await bench.start()
    const told = await ended
    assert.equal('error' in told && told.error.message, 'label: box is taken')
    assert.deepEqual(await endOf(ordered), {
      job: 'failed',
      input: '',
      outcome: 'failed',
      entries: [{ status: 'failed', message: 'label: box is taken' }],
    })
  })

  it('of a kind that the panel no longer knows fails at its next start, with its change', async () => {
    bench = openWorkBench(store)
    const ordered = await bench.work.ask(bench.asked(directory))
    await bench.close()
    bench = openWorkBench(store, { work: { kind: 'parcel.sent-otherwise' } })
    await bench.recoverAndStart()
    const message = 'No area of this panel knows the job parcel.send'
    assert.deepEqual(await endOf(ordered), {
      job: 'failed',
      input: '',
      outcome: 'failed',
      entries: [{ status: 'failed', message }],
    })
  })

  it('does not carry out a plain job that was stored under its name', async () => {
    bench = openWorkBench(store)
    const id = await bench.jobs.enqueue({ kind: 'parcel.send', input: {}, ownerId: 1, title: 'Send' })
    await bench.recoverAndStart()
    for await (const _ of bench.jobs.feed.follow(id, 0, limit()));
    const { state, message } = await jobOf(id)
    assert.deepEqual([state, message], ['failed', 'No area of this panel knows the job parcel.send'])
  })

  it('of somebody who is gone by its turn is not carried out', async () => {
    bench = openWorkBench(store, { callerOf: async () => undefined })
    const ordered = await bench.work.ask(bench.asked(directory))
    const ended = bench.work.ended(ordered.jobId, limit())
    await bench.start()
    await ended
    const { job, outcome } = await endOf(ordered)
    assert.deepEqual([job, outcome, existsSync(`${directory}/next`)], ['failed', 'failed', false])
  })

  it('goes on when whoever waits for it leaves', async () => {
    const { kind, begun, go } = waiting()
    bench = openWorkBench(store, { kind })
    const ordered = await bench.work.ask(bench.asked(directory))
    const leaving = new AbortController()
    const left = assert.rejects(bench.work.ended(ordered.jobId, leaving.signal), /gone/)
    await bench.start()
    await begun
    leaving.abort(new Error('gone'))
    await left
    const ended = bench.work.ended(ordered.jobId, limit())
    go()
    assert.ok('reply' in (await ended))
  })

  it('tells progress, output and its end to those who follow, without the secrets of its input', async () => {
    const { kind, begun, go } = waiting()
    bench = openWorkBench(store, { kind })
    const { jobId } = await bench.work.ask(bench.asked(directory))
    await bench.start()
    await begun
    go()
    const seen: WorkEvent[] = []
    const toEvent = (event: WorkEvent) => void seen.push(event)
    for await (const _ of bench.work.follow(jobId, 0, toEvent, limit()));
    const bullets = '•'.repeat(8)
    assert.deepEqual(seen.slice(1, 3), [
      { type: 'progress', percent: 17, message: `with ${bullets}` },
      { type: 'output', percent: null, message: `the password is ${bullets}` },
    ])
    assert.deepEqual(seen.at(-1), { type: 'done', reply: { id: 7, wrote: `${directory}/first` } })
    const stored = await store.db.selectFrom('job_events').select('message').execute()
    assert.ok(!JSON.stringify([stored, await jobOf(jobId)]).includes('sesame'))
  })

  it('is queued again after a bug while it has attempts, each of them undone, and its end is told once', async () => {
    let attempts = 0
    const written = foundAgain()
    const flaky: StepKind<any, any, any> = {
      ...written,
      act: async (args, run) => {
        if (args.path.endsWith('/next') && (attempts += 1) < 3) throw new Error('a bug')
        return written.act(args, run)
      },
    }
    bench = openWorkBench(store, { kind: flaky, work: { attempts: 3 } })
    const ordered = await bench.work.ask(bench.asked(directory))
    const ended = bench.work.ended(ordered.jobId, limit())
    await bench.start()
    assert.ok('reply' in (await ended))
    assert.deepEqual([attempts, (await entries()).map(({ status }) => status)], [3, ['ok']])
  })

  it('fails after its attempts where its change cannot be recorded for another reason than the disk', async () => {
    bench = openWorkBench(store, { work: { attempts: 2, ...unrecordable } })
    const ordered = await bench.work.ask(bench.asked(directory))
    const ended = bench.work.ended(ordered.jobId, limit())
    await bench.start()
    assert.equal('outcome' in (await ended) && ((await ended) as { outcome: string }).outcome, 'failed')
    const { state, attempt } = await jobOf(ordered.jobId)
    assert.deepEqual([state, attempt, (await changeOf(ordered.changeId)).outcome], ['failed', 2, 'failed'])
  })

  it('fails after its attempts also where its end cannot be entered, and frees its names', async () => {
    bench = openWorkBench(store, { work: unrecordable })
    const ordered = await bench.work.ask(bench.asked(directory))
    const next = await bench.work.ask(bench.asked(directory))
    await sql`drop table activity`.execute(store.db)
    const ends = [ordered, next].map(({ jobId }) => bench.work.ended(jobId, limit()))
    await bench.start()
    assert.deepEqual(
      (await Promise.all(ends)).map((end) => 'error' in end && end.outcome),
      ['failed', 'failed'],
    )
    const { state, input } = await jobOf(ordered.jobId)
    assert.deepEqual([state, input, (await changeOf(ordered.changeId)).outcome], ['failed', '', 'failed'])
  })

  it('fails after its attempts also where what an interrupted turn left cannot be read', async () => {
    bench = openWorkBench(store)
    const ordered = await bench.work.ask(bench.asked(directory))
    await store.db
      .updateTable('changes')
      .set({ work: 'damaged' })
      .where('id', '=', ordered.changeId)
      .execute()
    const ended = bench.work.ended(ordered.jobId, limit())
    await bench.start()
    const end = await ended
    assert.equal('error' in end && end.outcome, 'failed')
    const { state } = await jobOf(ordered.jobId)
    assert.deepEqual([state, (await changeOf(ordered.changeId)).outcome], ['failed', 'failed'])
  })

  it('cannot carry out another change within a step', async () => {
    const written = foundAgain()
    const nesting: StepKind<any, any, any> = {
      ...written,
      act: () => bench.executor.execute(orderOf(async () => change({ summary: 'Nested', reply: null }))),
    }
    bench = openWorkBench(store, { kind: nesting })
    const ordered = await bench.work.ask(bench.asked(directory))
    const ended = bench.work.ended(ordered.jobId, limit())
    await bench.start()
    await ended
    assert.deepEqual(await entries(), [{ status: 'restored', message: 'internal error' }])
  })
})

describe('a cancel', () => {
  it('of queued work settles it at once, with an entry', async () => {
    const { kind, begun, go } = waiting()
    bench = openWorkBench(store, { kind })
    const first = await bench.work.ask(bench.asked(directory))
    const second = await bench.work.ask(bench.asked(directory))
    const ended = bench.work.ended(second.jobId, limit())
    await bench.start()
    await begun
    await bench.jobs.cancel(second.jobId)
    assert.deepEqual(await ended.then((end) => 'error' in end && end.outcome), 'cancelled')
    const message = 'Cancelled before it started'
    assert.deepEqual(await endOf(second), {
      job: 'cancelled',
      input: '',
      outcome: 'cancelled',
      entries: [{ status: 'cancelled', message }],
    })
    go()
    assert.ok('reply' in (await bench.work.ended(first.jobId, limit())))
  })

  it('of work whose turn cannot begin ends it without another turn', async () => {
    const kind: StepKind<any, any, any> = {
      ...foundAgain(),
      observe: async () => {
        await bench.jobs.cancel(ordered.jobId)
        return 1n // cannot be recorded, as by a bug
      },
    }
    bench = openWorkBench(store, { kind, work: { attempts: 3 } })
    const ordered = await bench.work.ask(bench.asked(directory))
    const ended = bench.work.ended(ordered.jobId, limit())
    await bench.start()
    assert.deepEqual(await ended.then((end) => 'error' in end && end.outcome), 'cancelled')
    await bench.jobs.pick()
    const { state, attempt } = await jobOf(ordered.jobId)
    assert.deepEqual([state, attempt, bench.decisions], ['cancelled', 1, [undefined, ordered.jobId]])
    assert.deepEqual(
      (await entries()).map(({ status }) => status),
      ['cancelled'],
    )
  })

  it('of running work undoes it', async () => {
    const { kind, begun } = waiting()
    bench = openWorkBench(store, { kind })
    const ordered = await bench.work.ask(bench.asked(directory))
    const ended = bench.work.ended(ordered.jobId, limit())
    await bench.start()
    await begun
    await bench.jobs.cancel(ordered.jobId)
    assert.deepEqual(await ended.then((end) => 'error' in end && end.outcome), 'cancelled')
    assert.deepEqual(await endOf(ordered), {
      job: 'cancelled',
      input: '',
      outcome: 'cancelled',
      entries: [{ status: 'cancelled', message: 'Cancelled' }],
    })
    assert.equal(existsSync(`${directory}/first`), false)
  })
})

describe('a repeat with the same Idempotency-Key', () => {
  const idempotency = { key: 'k', digest: 'd' }

  it('joins the work, also while the first one decides, and after its end', async () => {
    bench = openWorkBench(store)
    const ask = () => bench.work.ask(bench.asked(directory, { idempotency }))
    const all = await Promise.all(Array.from({ length: 8 }, ask))
    assert.deepEqual([...new Set(all.map(({ jobId }) => jobId))], [1])
    assert.deepEqual(all.filter(({ isRepeat }) => !isRepeat).length, 1)
    await bench.start()
    const reply = { reply: { id: 7, wrote: `${directory}/first` } }
    assert.deepEqual(await bench.work.ended(1, limit()), reply)
    const again = await ask()
    assert.deepEqual([again.jobId, again.isRepeat], [1, true])
    assert.deepEqual(await bench.work.ended(again.jobId, limit()), reply)
  })

  it('is refused with another request, and taken by another user', async () => {
    bench = openWorkBench(store)
    await bench.work.ask(bench.asked(directory, { idempotency }))
    const other = bench.asked(directory, { idempotency: { key: 'k', digest: 'other' } })
    await assert.rejects(bench.work.ask(other), /was used with another request/)
  })
})

describe('the names of long work', () => {
  const short = (name: string) =>
    bench.executor.execute(
      orderOf(async () => change({ summary: 'Short', locks: [boxLock(name)], reply: 'done' })),
    )

  it('are refused to a short change while it runs, with its job, and given before its turn and after it', async () => {
    const { kind, begun, go } = waiting()
    bench = openWorkBench(store, { kind })
    const { jobId } = await bench.work.ask(bench.asked(directory))
    assert.equal((await short('box')).reply, 'done')
    const ended = bench.work.ended(jobId, limit())
    await bench.start()
    await begun
    await assert.rejects(short('box'), { fields: { job_id: jobId } })
    assert.equal((await short('other')).reply, 'done')
    go()
    await ended
    await bench.jobs.stop() // the end is passed on while the locks are being released
    assert.equal((await short('box')).reply, 'done')
  })

  it('keep later work of the same name waiting, without its workers, and let other work go by', async () => {
    const { kind, begun, go } = waiting()
    bench = openWorkBench(store, { kind })
    const same = await Promise.all(Array.from({ length: 7 }, () => bench.work.ask(bench.asked(directory))))
    await bench.start()
    await begun
    const other = await bench.work.ask(bench.asked(directory, { label: 'other' }))
    const running = () => store.db.selectFrom('jobs').select('id').where('state', '=', 'running').execute()
    await bench.jobs.pick()
    assert.deepEqual(
      (await running()).map(({ id }) => id),
      [same[0]?.jobId, other.jobId],
    )
    go()
    for (const { jobId } of same) await bench.work.ended(jobId, limit())
    assert.deepEqual(
      await bench.store.db.selectFrom('jobs').select('id').where('state', '=', 'queued').execute(),
      [],
    )
  })

  it('are taken once where the kind allows one alone', async () => {
    const Busy = problem('busy', 409, 'It is being sent')
    bench = openWorkBench(store, { work: { single: Busy } })
    await bench.work.ask(bench.asked(directory))
    await assert.rejects(bench.work.ask(bench.asked(directory)), /It is being sent/)
    await bench.work.ask(bench.asked(directory, { label: 'other' }))
  })
})

describe('the stop of the panel', () => {
  for (const resumes of [false, true])
    it(`undoes running work${resumes ? ' that resumes, and queues it again without an entry' : ''}`, async () => {
      const { kind, begun } = waiting()
      bench = openWorkBench(store, { kind, work: { resumes } })
      const ordered = await bench.work.ask(bench.asked(directory))
      const ended = bench.work.ended(ordered.jobId, limit())
      await bench.start()
      await begun
      await bench.jobs.stop()
      assert.ok('error' in (await ended))
      const { job, outcome, entries: told } = await endOf(ordered)
      assert.deepEqual(
        [job, outcome, told.length],
        resumes ? ['queued', null, 0] : ['interrupted', 'restored', 1],
      )
      assert.equal(existsSync(`${directory}/first`), false)
    })
})

describe('what a step returns', () => {
  const kind = foundAgain()
  const first = step(kind, { path: '/nowhere/a', text: 'a' })

  it('cannot be looked at by a decision', () => {
    const wrote = from(first, 'wrote')
    assert.throws(() => `${String(wrote)}`, /a decision cannot look at it/)
    assert.throws(() => JSON.stringify({ wrote }), /a decision cannot look at it/)
  })

  it('cannot be used by the step itself, an earlier one, or another change', async () => {
    bench = openWorkBench(store)
    const later = step(kind, { path: `${directory}/b`, text: from(first, 'wrote') })
    for (const steps of [[later, first], [later]])
      await assert.rejects(
        bench.executor.execute(orderOf(async () => change({ summary: 'Wrong', steps, reply: null }))),
        /is no earlier step of the change/,
      )
  })

  it('is shown in a plan by its name, and filled in for a change of a request as well', async () => {
    bench = openWorkBench(store)
    const made = step(kind, { path: `${directory}/a`, text: 'a' })
    const wanted = async () =>
      change({
        summary: 'Two',
        steps: [made, step(kind, { path: from(made, 'wrote'), text: 'b' })],
        reply: { wrote: from(made, 'wrote') },
      })
    const plan = await bench.executor.plan(wanted)
    assert.equal(plan.steps[1]?.title, 'Write ‹wrote of step 1›')
    const { reply } = await bench.executor.execute(orderOf(wanted))
    assert.deepEqual([reply, readFileSync(`${directory}/a`, 'utf8')], [{ wrote: `${directory}/a` }, 'b'])
  })
})
