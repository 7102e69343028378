import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTrustedClock } from './trusted-clock.ts'

const [hour, day] = [3_600_000, 86_400_000]
const start = Date.UTC(2026, 10, 22)

/** A clock whose time of day the test sets and advances. */
function clock(lastWritten?: number) {
  let [wall, elapsed] = [start, 5000]
  const now = openTrustedClock({
    lastWrittenMs: lastWritten,
    wallMs: () => wall,
    elapsedMs: () => elapsed,
  })
  return {
    isTrusted: () => now()?.getTime() === wall,
    isDistrusted: () => now() === undefined,
    run: (ms: number) => void ((wall += ms), (elapsed += ms)),
    set: (ms: number) => void (wall += ms),
  }
}

for (const [name, ms] of [
  ['400 days', 400 * day],
  ['14 years', Date.UTC(2040, 0) - start],
  ['two hours', 2 * hour],
] as const) {
  test(`does not trust a clock that was set ${name} ahead before it has run for 20 hours`, () => {
    const { isTrusted, isDistrusted, run, set } = clock(start - hour)
    assert.ok(isTrusted())
    set(ms)
    assert.ok(isDistrusted())
    run(19 * hour)
    assert.ok(isDistrusted())
    run(hour)
    assert.ok(isTrusted())
  })
}

test('does not notice a clock that was ahead only between two calls', () => {
  const { isTrusted, run, set } = clock()
  set(400 * day)
  run(40_000)
  set(-400 * day)
  assert.ok(isTrusted())
})

test('does not trust a clock that was ahead during a call for 20 hours', () => {
  const { isTrusted, isDistrusted, run, set } = clock()
  set(400 * day)
  assert.ok(isDistrusted())
  run(40_000)
  set(-400 * day)
  assert.ok(isDistrusted())
  run(20 * hour)
  assert.ok(isTrusted())
})

test('trusts a clock that runs, is corrected a little, or is set back', () => {
  const { isTrusted, run, set } = clock(start - hour)
  run(100 * day)
  assert.ok(isTrusted())
  set(hour)
  assert.ok(isTrusted())
  set(-day)
  assert.ok(isTrusted())
})

test('does not trust a clock that is more than a day ahead of the last write at the start', () => {
  const { isDistrusted, isTrusted, run } = clock(start - 2 * day)
  assert.ok(isDistrusted())
  run(20 * hour)
  assert.ok(isTrusted())
  assert.ok(clock(start - day).isTrusted())
  assert.ok(clock(start + 400 * day).isTrusted())
})
