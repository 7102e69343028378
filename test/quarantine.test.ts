import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { quarantine } from './quarantine.ts'
import { setAside } from './runner/set-aside.ts'
import type { TestOutcome } from './runner/test-process.ts'

const counts = { tests: 3, suites: 0, passed: 1, failed: 2, cancelled: 0, skipped: 0, todo: 0 }
const failed = ['a.test.ts › one', 'a.test.ts › two'].map((title) => ({
  kind: 'test' as const,
  outcome: 'failed' as const,
  place: '',
  title,
  durationMs: 0,
  reason: '',
}))
const outcome: TestOutcome = { title: 'a', counts, failed, skipped: [], seconds: 0 }

test('at most five tests are in quarantine, each with a reason, a date and a test that exists', () => {
  assert.ok(quarantine.length <= 5)
  for (const { title, reason, since } of quarantine) {
    const [file = '', ...titles] = title.split(' › ')
    assert.ok(readFileSync(`${import.meta.dirname}/../${file}`, 'utf8').includes(titles.at(-1) ?? ''), title)
    assert.ok(reason.length > 20 && !Number.isNaN(Date.parse(since)), title)
  }
})

test('a failure in quarantine is reported and not counted, others are', () => {
  const set = setAside(outcome, [{ title: 'a.test.ts › two', reason: 'why', since: '2026-11-27' }])
  assert.deepEqual(
    set.failed.map(({ title }) => title),
    ['a.test.ts › one'],
  )
  assert.deepEqual([set.counts.failed, set.counts.skipped, set.skipped.length], [1, 1, 1])
  assert.equal(setAside(outcome, []), outcome)
})
