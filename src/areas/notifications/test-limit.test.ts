import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Problem } from '../../core/problem.ts'
import { openTestLimit } from './test-limit.ts'

const limited = ({ kind, message }: Problem) =>
  kind.code === 'rate_limited' && /try again in 3600 s/.test(message)

test('limits the tests of one user, and those of all users to one target, for an hour', () => {
  let now = 0
  const limit = openTestLimit(() => now)
  for (let time = 0; time < 5; time++) {
    limit.assertFree(1, `${time}@example.org`)
    limit.count(1, `${time}@example.org`)
    limit.count(10 + time, 'Victim@example.org')
  }
  assert.throws(() => limit.assertFree(1, 'new@example.org'), limited)
  assert.throws(() => limit.assertFree(2, 'victim@example.org'), limited)
  limit.assertFree(2, 'new@example.org')
  now = 3_600_000
  limit.assertFree(1, 'victim@example.org')
})
