import assert from 'node:assert/strict'
import { it } from 'node:test'
import { textOfFinding } from './result-text.ts'

it('describes a search that runs, was stopped, is complete, failed or is truncated', () => {
  const items = Array.from({ length: 1000 }, () => ({ path: 'a', type: 'file' as const }))
  const text = (count: number, state: 'searching' | 'ended' | 'stopped' | 'failed', isCut = false) =>
    textOfFinding({ items: items.slice(0, count), state, isCut }, 'content')
  assert.equal(text(3, 'searching'), 'Searching … 3 lines so far')
  assert.equal(text(1, 'ended'), '1 line')
  assert.equal(text(2, 'stopped'), 'Stopped after 2 lines; there may be more')
  assert.equal(text(1000, 'ended', true), 'The first 1,000 lines; narrow the search to see the others')
  assert.equal(text(0, 'failed'), 'Failed after 0 lines')
  assert.equal(textOfFinding({ items: items.slice(0, 2), state: 'ended', isCut: false }, 'name'), '2 results')
})
