import assert from 'node:assert/strict'
import { it } from 'node:test'
import { wordsOfFinding } from './words.ts'

it('says whether a search goes on, was stopped, is whole or is cut', () => {
  const items = Array.from({ length: 1000 }, () => ({ path: 'a', type: 'file' as const }))
  const words = (count: number, state: 'searching' | 'ended' | 'stopped' | 'failed', isCut = false) =>
    wordsOfFinding({ items: items.slice(0, count), state, isCut }, 'content')
  assert.equal(words(3, 'searching'), 'Searching … 3 lines so far')
  assert.equal(words(1, 'ended'), '1 line, and no more')
  assert.equal(words(2, 'stopped'), 'Stopped: 2 lines until then; there may be more')
  assert.equal(
    words(1000, 'ended', true),
    'The first 1,000 lines; there are more: narrow the search to see them',
  )
  assert.equal(words(0, 'failed'), '0 lines before it broke off')
  assert.equal(
    wordsOfFinding({ items: items.slice(0, 2), state: 'ended', isCut: false }, 'name'),
    '2 entries, and no more',
  )
})
