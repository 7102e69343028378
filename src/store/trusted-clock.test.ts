import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTrustedClock } from './trusted-clock.ts'

const [hour, day] = [3_600_000, 86_400_000]
const start = Date.UTC(2026, 10, 22)

/** A clock whose time of day is set, and runs on, as the test says. */
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
  test(`does not believe a clock that was set ${name} ahead before it has run on for 20 hours`, () => {
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

test('notices nothing of a moment ahead in which nobody asked', () => {
  const { isTrusted, run, set } = clock()
  set(400 * day)
  run(40_000)
  set(-400 * day)
  assert.ok(isTrusted())
})

test('stays cautious after a moment ahead in which somebody asked, for 20 hours', () => {
  const { isTrusted, isDistrusted, run, set } = clock()
  set(400 * day)
  assert.ok(isDistrusted())
  run(40_000)
  set(-400 * day)
  assert.ok(isDistrusted())
  run(20 * hour)
  assert.ok(isTrusted())
})

test('believes a clock that runs on, is corrected a little, or is set back', () => {
  const { isTrusted, run, set } = clock(start - hour)
  run(100 * day)
  assert.ok(isTrusted())
  set(hour)
  assert.ok(isTrusted())
  set(-day)
  assert.ok(isTrusted())
})

test('does not believe a clock that is more than a day ahead of the last write at the start', () => {
  const { isDistrusted, isTrusted, run } = clock(start - 2 * day)
  assert.ok(isDistrusted())
  run(20 * hour)
  assert.ok(isTrusted())
  assert.ok(clock(start - day).isTrusted())
  assert.ok(clock(start + 400 * day).isTrusted())
})
