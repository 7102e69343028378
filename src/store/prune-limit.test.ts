import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pruneLimit } from './prune-limit.ts'

const day = (day: number, hour = 0) => new Date(Date.UTC(2026, 0, day, hour)).toISOString()
const limit = (now: string | undefined, oldest: string | undefined, newest: string | undefined) =>
  pruneLimit(now === undefined ? undefined : new Date(now), 30, { oldest, newest })

test('deletes rows beyond the retention', () => {
  assert.equal(limit(day(31, 8), day(1), day(31, 7)), day(1, 7))
  assert.equal(limit(day(31, 8), day(1), day(31, 8)), day(1, 8))
})

test('deletes nothing within the retention, and nothing from an empty store', () => {
  assert.equal(limit(day(31), day(1), day(31)), undefined)
  assert.equal(limit(day(400), undefined, undefined), undefined)
})

test('deletes at most the rows of one day at once, however far the clock and the newest row are ahead', () => {
  assert.equal(limit(day(5000), day(1), day(5000)), day(2))
})

test('computes the age from the newest row if the clock is ahead of it, otherwise from the clock', () => {
  assert.equal(limit(day(430), day(1), day(30)), undefined)
  assert.equal(limit(day(30), day(1), day(430)), undefined)
})

test('deletes nothing while the clock is not trusted', () => {
  assert.equal(limit(undefined, day(1), day(400)), undefined)
})
