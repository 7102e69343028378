import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explain } from './explain.ts'

for (const [number, fix, meaning] of [
  [1062, 'skip', /^The data of this replica differ .*: the row exists already$/],
  [1032, 'sync', /: the row that the primary changed is missing$/],
  [1452, 'sync', /: the row that a new one refers to is missing$/],
  [1950, 'sync', /no longer one sequence$/],
  [1236, 'sync', /no longer has the changes/],
  [1593, 'connect', /same server id/],
  [1698, 'connect', /refuses the account/],
  [2026, 'connect', /another certificate/],
  [1021, 'restart', /disk of this host is full/],
  [1286, 'restart', /lacks a storage engine/],
  [1040, 'primary', /no connection left/],
  [2003, 'wait', /cannot be reached/],
] as const)
  test(`error ${number} is explained, and mended by ${fix}`, () => {
    const isApplyError = fix === 'skip' || fix === 'sync'
    const explained = explain({ number, isApplyError })
    assert.equal(explained.fix, fix)
    assert.match(explained.explanation, meaning)
  })

test('an error without an explanation of its own has that of the thread that failed', () => {
  assert.deepEqual(explain({ number: 9999, isApplyError: true }), {
    explanation: 'A change of the primary could not be applied here',
    fix: 'sync',
  })
  assert.deepEqual(explain({ number: 9999, isApplyError: false }), {
    explanation: 'The changes of the primary cannot be received',
    fix: 'wait',
  })
})
