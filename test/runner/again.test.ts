import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { again, isRed } from './again.ts'
import { byFile, countedOnce } from './by-file.ts'
import type { TestOutcome } from './test-process.ts'

const failure = (title: string) => ({
  kind: 'test' as const,
  outcome: 'failed' as const,
  place: '',
  title,
  durationMs: 0,
  reason: '',
})

function outcomeOf(title: string, passed: number, failed: readonly string[] = []): TestOutcome {
  const counts = { suites: 0, cancelled: 0, skipped: 0, todo: 0, passed, failed: failed.length }
  return {
    title,
    counts: { ...counts, tests: passed + failed.length },
    failed: failed.map(failure),
    skipped: [],
    seconds: 1,
  }
}

const unnoted = () => {}

describe('a second run', () => {
  const red = outcomeOf('red', 2, ['red › one'])
  const green = outcomeOf('green', 4)

  it('takes the place of a first that failed, whether it passes or fails', async () => {
    const passed = outcomeOf('red', 3)
    assert.deepEqual(await again([green, red], () => Promise.resolve(passed), unnoted), [green, passed])
    const failed = outcomeOf('red', 1, ['red › one', 'red › two'])
    assert.deepEqual(await again([green, red], () => Promise.resolve(failed), unnoted), [green, failed])
  })

  it('is made for what failed alone, one after another, and for none of more than five', async () => {
    const repeated: string[] = []
    const repeat = (outcome: TestOutcome) => {
      repeated.push(outcome.title)
      return Promise.resolve(outcome)
    }
    const five = Array.from({ length: 5 }, (_, at) => outcomeOf(`red ${at}`, 0, ['x']))
    await again([green, ...five], repeat, unnoted)
    assert.deepEqual(
      repeated,
      five.map(({ title }) => title),
    )
    const six = [...five, red]
    assert.equal(await again(six, () => assert.fail('six are a cause')), six)
  })

  it('is noted with both outcomes', async () => {
    const notes: string[] = []
    await again(
      [red],
      () => Promise.resolve(green),
      (text) => notes.push(text),
    )
    assert.deepEqual(notes, ['red (first: one, alone: passed)'])
  })

  it('is made for a cancelled test, too', () => {
    assert.equal(isRed({ ...green, counts: { ...green.counts, cancelled: 1 } }), true)
    assert.equal(isRed(green), false)
  })
})

describe('an outcome by file', () => {
  const process = outcomeOf('npm test (1 of 2)', 7, [
    'a.test.ts › one',
    'a.test.ts › two',
    'the process of x',
  ])

  it('has the failures of each file, and the rest under the title of the process', () => {
    const split = byFile(process, ['a.test.ts', 'b.test.ts'])
    assert.deepEqual(
      split.map(({ title, counts, failed }) => [title, counts.passed, counts.failed, failed.length]),
      [
        ['npm test (1 of 2)', 7, 1, 1],
        ['a.test.ts', 0, 2, 2],
      ],
    )
  })

  it('counts the tests of a file once after its second run', () => {
    const [, file] = byFile(process, ['a.test.ts'])
    const passed = countedOnce(file!, outcomeOf('a.test.ts', 9))
    assert.deepEqual([passed.counts.passed, passed.counts.failed], [2, 0])
    const failed = countedOnce(file!, outcomeOf('a.test.ts', 8, ['a.test.ts › one']))
    assert.deepEqual([failed.counts.passed, failed.counts.failed, failed.failed.length], [0, 2, 1])
  })
})
