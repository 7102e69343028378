import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type RowState, runEach } from './run-each.ts'

describe('a bulk action', () => {
  const run = async (
    rows: readonly string[],
    change: (row: string) => Promise<unknown>,
    ending = new AbortController(),
  ) => {
    const told: (readonly [string, RowState])[] = []
    await runEach(rows, change, (row, state) => told.push([row, state]), ending.signal)
    return told
  }

  test('changes one row after the other, and goes on after a failure', async () => {
    const refused = new Error('refused')
    const told = await run(['a', 'b', 'c'], async (row) => {
      if (row === 'b') throw refused
    })
    assert.deepEqual(told, [
      ['a', 'running'],
      ['a', 'done'],
      ['b', 'running'],
      ['b', { failed: refused }],
      ['c', 'running'],
      ['c', 'done'],
    ])
  })

  test('begins no further row once it is stopped, and finishes the one that runs', async () => {
    const ending = new AbortController()
    const told = await run(['a', 'b'], async () => ending.abort(), ending)
    assert.deepEqual(told, [
      ['a', 'running'],
      ['a', 'done'],
    ])
  })
})
