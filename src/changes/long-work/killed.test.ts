import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { verifyActivity } from '../activity.ts'
import { openParcels } from '../testing/parcel.ts'
import { foundAgain, openWorkBench, thanked, workFiles } from './testing/bench.ts'

const root = mkdtempSync('/tmp/hostreeve-killed-work-')
after(() => rmSync(root, { recursive: true }))
const panel = fileURLToPath(new URL('./testing/killed-work.ts', import.meta.url))

function layOut(name: string): string {
  const directory = `${root}/${name.replaceAll(':', '-')}`
  mkdirSync(directory)
  writeFileSync(`${directory}/first`, 'as before')
  writeFileSync(`${directory}/last`, 'as before')
  return directory
}

function runPanel(directory: string, killAt: string, ...mode: readonly string[]) {
  const argv = [panel, `${directory}/var`, directory, killAt, ...mode]
  const { signal, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8', timeout: 300_000 })
  assert.equal(stderr.includes('Error'), false, stderr)
  return signal
}

const seen = (directory: string) =>
  workFiles.map((name) =>
    existsSync(`${directory}/${name}`) ? readFileSync(`${directory}/${name}`, 'utf8') : null,
  )

/** The end of the work that followed, after the next start. */
async function endOfFollowUp(directory: string) {
  const store = await openParcels(`${directory}/var`)
  const bench = openWorkBench(store)
  await bench.recoverAndStart()
  await bench.work.ended(2, AbortSignal.timeout(60_000))
  const jobs = await store.db.selectFrom('jobs').select(['kind', 'state']).orderBy('id').execute()
  const entries = await store.db
    .selectFrom('activity')
    .select(['action', 'status', 'user_id'])
    .orderBy('id')
    .execute()
  await bench.close()
  await store.close()
  return {
    jobs: jobs.map(({ kind, state }) => `${kind} ${state}`),
    entries: entries.map(({ action, status, user_id }) => `${action} ${status} ${user_id}`),
    thanks: readFileSync(`${directory}/thanks`, 'utf8'),
  }
}

async function startAgain(directory: string, options?: Parameters<typeof openWorkBench>[1]) {
  const store = await openParcels(`${directory}/var`)
  const bench = openWorkBench(store, options)
  await bench.recoverAndStart()
  const job = await store.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow()
  await bench.work.ended(job.id, AbortSignal.timeout(60_000))
  const { state, result, input } = await store.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow()
  const change = await store.db.selectFrom('changes').selectAll().executeTakeFirstOrThrow()
  const labels = await store.db.selectFrom('parcels').select('label').where('id', '=', 7).execute()
  const entries = await store.db.selectFrom('activity').select('status').execute()
  const chain = await verifyActivity(store, new AbortController().signal)
  await bench.close()
  await store.close()
  return {
    job: [state, result === null ? null : JSON.parse(result), input],
    change: [change.state, change.outcome],
    labels: labels.map(({ label }) => label),
    entries: entries.map(({ status }) => status),
    isWhole: chain.ok,
    files: seen(directory),
  }
}

const doneIn = (directory: string) => ({
  job: ['succeeded', { id: 7, wrote: `${directory}/first` }, ''],
  change: ['settled', 'ok'],
  labels: [`${directory}/first`],
  entries: ['ok'],
  isWhole: true,
  files: ['text of box', `${directory}/first`, null],
})
const restored = {
  job: ['interrupted', null, ''],
  change: ['settled', 'restored'],
  labels: [],
  entries: ['restored'],
  isWhole: true,
  files: ['as before', null, 'as before'],
}

describe('a panel that is killed within long work', { timeout: 300_000 }, () => {
  for (const point of ['ordered', 'decided'])
    it(`gives it its turn after its next start when it died at ${point}`, async () => {
      const directory = layOut(point)
      assert.equal(runPanel(directory, point), 'SIGKILL')
      assert.deepEqual(await startAgain(directory), doneIn(directory))
    })

  for (const point of [
    'intended',
    'before:0',
    'half:first',
    'after:0',
    'stored:0',
    'before:1',
    'half:next',
    'after:1',
    'stored:1',
    'before:2',
  ])
    it(`has undone it after its next start when it died at ${point}`, async () => {
      const directory = layOut(point)
      assert.equal(runPanel(directory, point), 'SIGKILL')
      assert.deepEqual(await startAgain(directory), restored)
    })

  for (const point of ['after:2', 'stored:2', 'acted', 'settled'])
    it(`has completed it, with its reply, after its next start when it died at ${point}`, async () => {
      const directory = layOut(point)
      assert.equal(runPanel(directory, point), 'SIGKILL')
      assert.deepEqual(await startAgain(directory), doneIn(directory))
    })

  for (const [point, whatIsLeft] of [
    ['half:first', ['text ', null, 'as before']],
    // the arguments of the second step are known after the first alone
    ['half:next', ['as before', null, 'as before']],
  ] as const)
    it(`continues at its next turn, as far as the steps can, when it died at ${point}`, async () => {
      const directory = layOut(`continues-${point}`)
      assert.equal(runPanel(directory, point, 'continues'), 'SIGKILL')
      const found: unknown[] = []
      const kind = { ...foundAgain(), continues: true as const }
      const onPoint = (at: string) => at === 'intended' && found.push(seen(directory))
      assert.deepEqual(
        await startAgain(directory, { kind, work: { resumes: true }, onPoint }),
        doneIn(directory),
      )
      assert.deepEqual(found, [whatIsLeft])
    })

  for (const [point, again, end] of [
    ['half:next', 'check:first', restored],
    ['half:next', 'undone:next', restored],
    ['half:next', 'undone:first', restored],
    ['acted', 'check:last', 'done'],
  ] as const)
    it(`ends it once when it died at ${point}, and in the recovery at ${again}`, async () => {
      const directory = layOut(`${point}-${again}`)
      assert.equal(runPanel(directory, point), 'SIGKILL')
      assert.equal(runPanel(directory, again, 'recover'), 'SIGKILL')
      assert.deepEqual(await startAgain(directory), end === 'done' ? doneIn(directory) : end)
    })

  for (const point of ['acted', 'settled'])
    it(`gives the work that follows its turn when it died at ${point}, with its own entry`, async () => {
      const directory = layOut(`follow-up-${point}`)
      assert.equal(runPanel(directory, point, thanked), 'SIGKILL')
      assert.equal(existsSync(`${directory}/thanks`), false)
      assert.deepEqual(await endOfFollowUp(directory), {
        jobs: ['parcel.send succeeded', 'parcel.thank succeeded'],
        entries: ['parcel_sent ok 1', 'parcel_thank ok 1'],
        thanks: 'thank you',
      })
    })
})
