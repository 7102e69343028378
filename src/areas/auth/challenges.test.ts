import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openChallenges } from './challenges.ts'

test('a challenge is used once, by one request, within five minutes', () => {
  let now = 0
  const challenges = openChallenges(() => now)
  const first = challenges.issue({ userId: 7 })
  assert.equal(challenges.take(first, 'a')?.userId, 7)
  assert.equal(challenges.take(first, 'a')?.userId, 7, 'a request may be decided twice')
  assert.equal(challenges.take(first, 'b'), undefined)
  assert.equal(challenges.take('unknown', 'a'), undefined)
  const late = challenges.issue({})
  now = 5 * 60_000
  assert.equal(challenges.take(late, 'c'), undefined)
})

test('many challenges drop the oldest', () => {
  const challenges = openChallenges(() => 0)
  const first = challenges.issue({})
  for (let count = 0; count < 10_000; count++) challenges.issue({})
  assert.equal(challenges.take(first, 'a'), undefined)
})
