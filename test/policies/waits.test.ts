import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { join } from 'node:path'
import { root } from './sources.ts'

// A test that asserts a duration, or a state that changes a moment later, fails on a busy machine and refuses somebody's work.

const immediateRead =
  /assert\.\w+\([^\n]*\(?await [^\n]*\.(?:count|inputValue|getAttribute|boundingBox|isVisible|isChecked|isDisabled|isEnabled)\(/
const comparedClock = /assert\.ok\(.*performance\.now\(\)(?: - \w+)?\)? *< *\d|assert\.ok\(\w*Ms <=? \d/
// a limit below a second is meant to expire
const shortSignal = /AbortSignal\.timeout\((?:\d|[1-5]\d)_?\d{3}\)/

const linesWith = (pattern: RegExp, files: string): readonly string[] =>
  globSync(files, { cwd: root })
    .filter((file) => !file.endsWith('policies/waits.test.ts'))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
    )
const tests = '{src,test,scripts}/**/*.test.ts'

describe('a test', () => {
  it('asserts a value of a page with settles(), which waits for it', () => {
    assert.deepEqual(linesWith(immediateRead, 'test/browser/**/*.ts'), [])
    assert.match('  assert.equal(await page.getByRole("row").count(), 2)', immediateRead)
  })

  it('compares no clock: it counts, or waits for a condition with until()', () => {
    assert.deepEqual(linesWith(comparedClock, tests), [])
    assert.match('assert.ok(performance.now() - startedAt < 1000)', comparedClock)
    assert.match('assert.ok(tookMs < 1000)', comparedClock)
  })

  it('waits no shorter than the hang limit', () => {
    assert.deepEqual(linesWith(shortSignal, tests), [])
    assert.match('signal: AbortSignal.timeout(5000)', shortSignal)
  })
})
