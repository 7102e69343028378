import assert from 'node:assert/strict'
import { it } from 'node:test'
import { textOfFinding } from './result-text.ts'

it('says whether a search goes on, was stopped, is whole or is cut', () => {
  const items = Array.from({ length: 1000 }, () => ({ path: 'a', type: 'file' as const }))
  const text = (count: number, state: 'searching' | 'ended' | 'stopped' | 'failed', isCut = false) =>
    textOfFinding({ items: items.slice(0, count), state, isCut }, 'content')
  assert.equal(text(3, 'searching'), 'Searching … 3 lines so far')
  assert.equal(text(1, 'ended'), '1 line, and no more')
  assert.equal(text(2, 'stopped'), 'Stopped: 2 lines until then; there may be more')
  assert.equal(
    text(1000, 'ended', true),
    'The first 1,000 lines; there are more: narrow the search to see them',
  )
  assert.equal(text(0, 'failed'), '0 lines before it broke off')
  assert.equal(
    textOfFinding({ items: items.slice(0, 2), state: 'ended', isCut: false }, 'name'),
    '2 entries, and no more',
  )
})
