import assert from 'node:assert/strict'
import { after, before, describe, mock, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../test/support/panel.ts'
import { jobRow } from '../jobs/draft.ts'
import type { JobRow } from '../jobs/tables.ts'
import { writeRows } from '../store/write-rows.ts'
import { countHistory, storeHistory } from './testing/history.ts'

const [hour, day] = [3_600_000, 86_400_000]
const start = Date.now()

/** Deletes by age, each once a night or once an hour. */
const pruning = [
  'activity.prune',
  'activity.forget-old-changes',
  'jobs.prune',
  'auth.end-expired-sessions',
  'filemanager.tidy-history',
  'filemanager.remove-expired-uploads',
]

describe('a panel whose clock is moved while it runs', () => {
  let panel: TestPanel
  before(async () => {
    mock.timers.enable({ apis: ['Date'], now: start })
    panel = await openTestPanel()
    await panel.start()
    await storeHistory(panel.store, { userId: panel.admin.id, until: start })
  })
  after(async () => {
    await panel.close()
    mock.timers.reset()
  })

  const over = new Set(['succeeded', 'failed', 'cancelled', 'interrupted'])
  const ended = async (id: number): Promise<JobRow> => {
    for (const limit = performance.now() + 60_000; ;) {
      const row = await panel.store.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
      if (row !== undefined && over.has(row.state)) return row
      assert.ok(performance.now() < limit, `job ${id} is still ${row?.state}`)
      await new Promise(setImmediate)
    }
  }
  const pruneAll = async () => {
    for (const kind of pruning) {
      const id = await panel.jobs.enqueue({ kind, input: {}, ownerId: null, title: kind })
      const { state, message } = await ended(id)
      assert.deepEqual([kind, state], [kind, 'succeeded'], message)
    }
  }
  const signInWorks = async () => {
    const { email, password } = await panel.person()
    const { status, data } = await panel.request('POST', '/api/auth/login', { body: { email, password } })
    assert.equal(status, 200)
    const own = await panel.request('GET', '/api/activity/mine', { as: { token: data.access_token } })
    assert.equal(own.status, 200)
  }

  const moves = [
    ['a day back', -day],
    ['an hour ahead', hour],
    ['400 days ahead', 400 * day],
    ['to 2040', Date.UTC(2040, 0) - start],
  ] as const
  for (const [name, ms] of moves) {
    test(`deletes nothing that is kept, carries out due jobs and signs users in: ${name}, and back`, async () => {
      const before = await countHistory(panel.store)
      const waiting = await queueUnnoticed(panel, start)
      mock.timers.setTime(start + ms)
      await pruneAll()
      await signInWorks()
      assert.equal((await ended(waiting)).state, 'succeeded')
      mock.timers.setTime(start)
      await pruneAll()
      await signInWorks()
      assert.deepEqual(await countHistory(panel.store), before)
    })
  }
})

/** A due job that nothing has made the pool look for yet. */
async function queueUnnoticed({ store }: TestPanel, nowMs: number): Promise<number> {
  const draft = { kind: 'jobs.prune', input: {}, ownerId: null, title: 'Waiting' }
  const id = store.nextId('jobs')
  const row = jobRow(store, draft, { id, now: new Date(nowMs) })
  await store.transaction((tx) => writeRows(tx, [row]))
  return id
}
