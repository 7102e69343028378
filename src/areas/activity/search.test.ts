import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import type { Problem } from '../../core/problem.ts'
import { findEntries } from './search.ts'
import { openSearchQueue } from './search-queue.ts'
import { activityQueries, type EntryFilter } from './store.ts'

const entries = 50_000
const signal = new AbortController().signal

describe('a search in a long log', () => {
  let panel: TestPanel
  before(async () => {
    panel = await openTestPanel()
    await sql`with recursive numbers (n) as (select 11 union all select n + 1 from numbers where n < ${entries + 10})
      insert into activity select n, case n when 17 then 'rare' else 'common' end, case n % 100 when 0 then null else n % 100 end, null, '192.0.2.7', 'POST', '/api/x', '{}',
      'ok', 1, 'r', n, 'Message ' || n, '2026-01-01T00:00:00.000Z', '', null from numbers where n not between 20000 and 29999`.execute(
      panel.store.db,
    )
  })
  after(() => panel.close())

  const find = (filter: EntryFilter, limit: number, cursor?: number) =>
    findEntries(activityQueries(panel.store), openSearchQueue().turn, { filter, limit, cursor, signal })

  test('finds the newest entries first, across all windows and the gaps between them', async () => {
    assert.deepEqual(
      (await find({}, 3)).map(({ id }) => id),
      [50_010, 50_009, 50_008],
    )
    assert.deepEqual(
      (await find({}, 2, 30_001)).map(({ id }) => id),
      [30_000, 19_999],
    )
    assert.deepEqual(
      (await find({ action: 'rare' }, 5)).map(({ id }) => id),
      [17],
    )
    assert.equal((await find({ user_id: 42 }, 1000)).length, 400)
    assert.equal((await find({ search: 'MESSAGE 4999' }, 100)).length, 11)
    assert.deepEqual(await find({ search: 'mess_ge' }, 5), [])
    assert.deepEqual(await find({}, 5, 11), [])
  })

  test('yields to the event loop for each window', async () => {
    let iterations = 0
    let isOver = false
    const count = () => void setImmediate(() => !isOver && ((iterations += 1), count()))
    count()
    assert.deepEqual(await find({ search: 'no such thing' }, 50), [])
    isOver = true
    assert.ok(iterations >= entries / 2000, `${iterations} iterations`)
  })

  test('alternates the searches of different callers window by window', async () => {
    const queue = openSearchQueue()
    const order: number[] = []
    const search = async (id: number) => {
      for (let window = 0; window < 3; window++) {
        await queue.turn()
        order.push(id)
      }
    }
    await Promise.all([1, 2].map((id) => queue.run(id, () => search(id))))
    assert.deepEqual(order, [1, 2, 1, 2, 1, 2])
  })

  test('stops when the caller disconnects', async () => {
    const search = { filter: {}, cursor: undefined, limit: 5, signal: AbortSignal.abort(new Error('gone')) }
    await assert.rejects(findEntries(activityQueries(panel.store), openSearchQueue().turn, search), /gone/)
  })

  test('runs one search per caller at a time, queues four, and refuses the next with Retry-After', async () => {
    const asked = Array.from({ length: 7 }, () =>
      panel.request('GET', '/api/activity?search=nothing', { as: panel.admin }),
    )
    const unfiltered = await Promise.all(
      Array.from({ length: 10 }, () => panel.request('GET', '/api/activity', { as: panel.admin })),
    )
    assert.ok(unfiltered.every(({ status }) => status === 200))
    const other = await panel.person()
    assert.equal((await panel.request('GET', '/api/activity/mine?search=x', { as: other })).status, 200)
    const answers = await Promise.all(asked)
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200, 429, 429],
    )
    assert.equal(answers[6]!.headers['retry-after'], '2')
    assert.match(answers[6]!.error.message, /Your searches are still running/)
    assert.equal((await panel.request('GET', '/api/activity', { as: panel.admin })).status, 200)
  })

  test('runs one export per caller at a time', async () => {
    const ask = () => panel.request('GET', '/api/activity/export?search=rare', { as: panel.admin })
    const [first, second] = await Promise.all([ask(), ask()])
    assert.deepEqual([first.status, second.status, second.headers['retry-after']], [200, 429, '5'])
    assert.equal(first.text.trim().split('\n').length, 1)
    assert.equal((await ask()).status, 200)
  })
})

test('runs the next search of a caller even if one fails', async () => {
  const queue = openSearchQueue()
  const [failed, next] = await Promise.allSettled([
    queue.run(1, () => Promise.reject(new Error('broken'))),
    queue.run(1, async () => 'found'),
  ])
  assert.deepEqual([failed.status, next], ['rejected', { status: 'fulfilled', value: 'found' }])
  const waiting = Array.from({ length: 5 }, () => queue.run(1, () => queue.turn()))
  await assert.rejects(
    queue.run(1, async () => {}),
    (error: Problem) => error.kind.code === 'rate_limited',
  )
  await Promise.all(waiting)
})
