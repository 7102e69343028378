import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderVerdict } from './verdict.ts'

const output = [
  '  ✖ src/a.test.ts › one',
  '=== npm test               FAILED (1)      12 s',
  'ci: npm test               FAILED (1)      12 s',
  '  ✖ src/a.test.ts › one',
  'ci: failed: npm test',
  'ci: unreliable: mail (first: sends, alone: passed)',
  '10 passed, 1 failed',
]

test('a verdict names what failed once, what was unreliable, and the counts', () => {
  assert.deepEqual(renderVerdict(1, output, 90).trimEnd().split('\n'), [
    'failed (exit 1) after 90 s: 10 passed, 1 failed',
    'ci: failed: npm test',
    '  ✖ src/a.test.ts › one',
    'ci: unreliable: mail (first: sends, alone: passed)',
    'ci: npm test               FAILED (1)      12 s',
  ])
})

test('a verdict that passed begins with that, and has no failures of a first run', () => {
  const lines = renderVerdict(0, ['  ✖ src/a.test.ts › one', '10 passed, 0 failed'], 90).split('\n')
  assert.deepEqual(lines, ['passed after 90 s: 10 passed, 0 failed', ''])
})

test('a run that was ended before it counted is no pass', () => {
  assert.match(renderVerdict(124, [], 4800), /^failed \(exit 124\) after 4800 s: no test was counted/)
})
