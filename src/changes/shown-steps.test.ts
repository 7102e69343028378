import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { after, it } from 'node:test'
import type { StepKind } from '../core/change.ts'
import { Conflict } from '../core/problem.ts'
import { foundAgain, openWorkBench } from './long-work/testing/bench.ts'
import { stepsOfJob } from './shown-steps.ts'
import { openParcels } from './testing/parcel.ts'

const directory = mkdtempSync('/tmp/hostreeve-shown-steps-')
after(() => rmSync(directory, { recursive: true }))

/** Work whose second step does what the test says; returns the states of the steps, and a function that ends it. */
async function openSample(actOnNext: (signal: AbortSignal) => Promise<void>) {
  const store = await openParcels()
  const written = foundAgain()
  const begun = Promise.withResolvers<void>()
  const kind: StepKind<any, any, any> = {
    ...written,
    plan: ({ path }: { readonly path: string }) => ({ title: `Write ${path.slice(directory.length + 1)}` }),
    act: async (args, run) => {
      if (args.path.endsWith('next')) {
        begun.resolve()
        await actOnNext(run.signal)
      }
      return written.act(args, run)
    },
  }
  const bench = openWorkBench(store, { kind })
  const { jobId } = await bench.work.ask(bench.asked(directory))
  const states = async () => {
    const job = await store.db
      .selectFrom('jobs')
      .selectAll()
      .where('id', '=', jobId)
      .executeTakeFirstOrThrow()
    const steps = await stepsOfJob(store, new Map([[kind.name, kind]]), job)
    return steps.map(({ title, state }) => `${title}: ${state}`)
  }
  const ended = () => bench.work.ended(jobId, AbortSignal.timeout(60_000))
  const close = () => bench.close().then(() => store.close())
  return { bench, jobId, states, ended, begun: begun.promise, close }
}

const titled = (...states: readonly string[]) =>
  ['first', 'next', 'last'].map((name, index) => `Write ${name}: ${states[index]}`)

it('shows the steps of a job with their titles: none while it is queued, then as they act', async (t) => {
  const go = Promise.withResolvers<void>()
  const { bench, states, ended, begun, close } = await openSample(() => go.promise)
  t.after(close)
  assert.deepEqual(await states(), [])
  await bench.start()
  await begun
  assert.deepEqual(await states(), titled('done', 'running', 'waiting'))
  go.resolve()
  await ended()
  assert.deepEqual(await states(), titled('done', 'done', 'done'))
})

it('shows which step failed, and that those before it were undone', async (t) => {
  const { bench, states, ended, close } = await openSample(() => Promise.reject(Conflict('No')))
  t.after(close)
  await bench.start()
  await ended()
  assert.deepEqual(await states(), titled('undone', 'failed', 'waiting'))
})

it('shows that the steps of a cancelled job were undone', async (t) => {
  const { bench, jobId, states, ended, begun, close } = await openSample(
    (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cancelled')))),
  )
  t.after(close)
  await bench.start()
  await begun
  await bench.jobs.cancel(jobId)
  await ended()
  assert.deepEqual(await states(), titled('undone', 'undone', 'waiting'))
})
