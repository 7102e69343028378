import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { JobDraft } from '../core/change.ts'
import { openParcels, quiet } from '../changes/testing/parcel.ts'
import type { Store } from '../store/store.ts'
import { jobRow } from './draft.ts'
import { openScheduler, type Scheduler } from './scheduler.ts'
import { nextRun, schedule, scheduleNamed, storeDeclared } from './schedules.ts'

let store: Store
let scheduler: Scheduler
let now: Date
let enqueued: JobDraft[]
beforeEach(async () => {
  store = await openParcels()
  enqueued = []
  scheduler = openScheduler({
    store,
    log: quiet,
    now: () => now,
    queue: (draft, id) => {
      enqueued.push(draft)
      return [jobRow(store, draft, { id, now })]
    },
  })
})
afterEach(async () => {
  await scheduler.stop()
  await store.close()
})

const wanted = {
  kind: { kind: 'parcel.send' },
  input: { label: 'box' },
  title: 'Send a box',
  cron: '30 2 * * *',
  zone: 'Europe/Berlin',
  owner: 7,
  enabled: true,
}
const set = async (draft: Partial<typeof wanted> = {}) => {
  const row = schedule(store, 'daily', { ...wanted, ...draft }, await scheduleNamed(store, 'daily'))
  await store.transaction((tx) => store.write(tx, [row]))
}
const stored = async () => {
  const row = await scheduleNamed(store, 'daily')
  return [row?.last_run ?? null, row?.next_run ?? null]
}
/** Runs the schedules at a time, the last job being over; returns the number of jobs that were enqueued so far. */
const countAt = async (time: string, isLastOver = true) => {
  now = new Date(time)
  if (isLastOver) await store.db.updateTable('jobs').set({ state: 'succeeded' }).execute()
  await scheduler.run()
  return (await store.db.selectFrom('jobs').select('id').execute()).length
}

describe('a schedule', () => {
  it('enqueues its work for its owner when it is due, and stores its last and next run', async () => {
    now = new Date('2026-06-01T00:00:00Z')
    await set()
    assert.equal(await countAt('2026-06-01T00:00:00Z'), 0)
    assert.deepEqual(await stored(), [null, '2026-06-01T00:30:00.000Z'])
    assert.equal(await countAt('2026-06-01T00:30:00Z'), 1)
    assert.deepEqual(enqueued, [
      { kind: 'parcel.send', input: { label: 'box' }, ownerId: 7, title: 'Send a box' },
    ])
    assert.deepEqual(await stored(), ['2026-06-01T00:30:00.000Z', '2026-06-02T00:30:00.000Z'])
    assert.equal(await countAt('2026-06-01T00:30:01Z'), 1)
  })

  it('makes up for the runs that were missed by a single one', async () => {
    now = new Date('2026-06-01T00:00:00Z')
    await set()
    await countAt('2026-06-01T00:00:00Z')
    assert.equal(await countAt('2026-06-20T12:00:00Z'), 1)
    assert.equal(await countAt('2026-06-20T12:00:30Z'), 1)
    assert.deepEqual(await stored(), ['2026-06-20T12:00:00.000Z', '2026-06-21T00:30:00.000Z'])
  })

  it('goes on when the clock was set ahead by years and back again', async () => {
    now = new Date('2026-06-01T00:00:00Z')
    await set()
    await countAt('2026-06-01T00:00:00Z')
    assert.equal(await countAt('2040-01-01T00:00:00Z'), 1)
    assert.equal(await countAt('2026-06-01T00:10:00Z'), 1)
    assert.equal(await countAt('2026-06-01T00:30:00Z'), 2)
  })

  it('waits for its last job to end', async () => {
    now = new Date('2026-06-01T00:00:00Z')
    await set()
    await countAt('2026-06-01T00:00:00Z')
    assert.equal(await countAt('2026-06-01T00:30:00Z'), 1)
    assert.equal(await countAt('2026-06-02T00:30:00Z', false), 1)
    assert.equal(await countAt('2026-06-03T00:30:00Z'), 2)
  })

  it('is computed again when its time or its zone changes, and rests while it is disabled', async () => {
    now = new Date('2026-06-01T00:00:00Z')
    await set()
    await countAt('2026-06-01T00:00:00Z')
    await set({ zone: 'America/New_York' })
    await countAt('2026-06-01T00:00:01Z')
    assert.deepEqual(await stored(), [null, '2026-06-01T06:30:00.000Z'])
    await set({ enabled: false })
    assert.equal(await countAt('2026-07-01T00:00:00Z'), 0)
    await assert.rejects(set({ zone: 'Mars/Olympus' }))
  })

  it('runs once a day through both changes to and from summer time', () => {
    const runs = (from: string, days: number) => {
      const found = [from]
      for (let day = 0; day < days; day++) found.push(nextRun(wanted, new Date(found.at(-1) ?? '')) ?? '')
      return found.slice(1)
    }
    // 02:30 does not exist on the 29th of March: it runs at 03:00; it exists twice on the 25th of October
    assert.deepEqual(runs('2026-03-28T00:00:00Z', 3), [
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ])
    assert.deepEqual(runs('2026-10-24T00:00:00Z', 3), [
      '2026-10-24T00:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ])
  })

  it('that the code declares is stored once, changed with the code, and removed with it', async () => {
    now = new Date('2026-06-01T00:00:00Z')
    const kind = {
      kind: 'parcel.tidy',
      input: {},
      timeoutMs: 1000,
      attempts: 1,
      resumes: true,
      run: async () => {},
    }
    const rows = async () =>
      (await store.db.selectFrom('schedules').selectAll().execute()).map(({ name, cron }) => [name, cron])
    await set()
    for (const cron of ['1 3 * * *', '1 3 * * *', '2 3 * * *'])
      await storeDeclared(store, [{ ...kind, schedule: cron }])
    assert.deepEqual(await rows(), [
      ['daily', wanted.cron],
      ['parcel.tidy', '2 3 * * *'],
    ])
    await storeDeclared(store, [])
    assert.deepEqual(await rows(), [['daily', wanted.cron]])
  })
})
