import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Item } from '../queries.ts'
import { arrange } from './arrange.ts'
import { isTyped, rowAfter } from './keys.ts'

const item = (name: string, given: Partial<Item> = {}): Item => ({
  name,
  label: name,
  path: name,
  type: 'file',
  size_bytes: 0,
  mode: '0644',
  owner: 'a',
  group: 'a',
  modified_at: '2026-01-01T00:00:00Z',
  is_locked: false,
  ...given,
})
const names = (items: readonly Item[]) => items.map(({ name }) => name)

describe('a folder that is here as a whole', () => {
  const items = [
    item('file10'),
    item('b', { type: 'folder' }),
    item('File2', { size_bytes: 9 }),
    item('a.zip', { size_bytes: 3 }),
  ]

  it('is sorted with folders first and numbers by their value', () => {
    assert.deepEqual(names(arrange(items, 'name', '')), ['b', 'a.zip', 'File2', 'file10'])
    assert.deepEqual(names(arrange(items, '-name', '')), ['b', 'file10', 'File2', 'a.zip'])
    assert.deepEqual(names(arrange(items, '-size_bytes', '')), ['b', 'File2', 'a.zip', 'file10'])
    assert.deepEqual(names(arrange(items, 'type', '')), ['b', 'File2', 'file10', 'a.zip'])
  })

  it('is filtered by a part of the name in either case', () => {
    assert.deepEqual(names(arrange(items, 'name', ' FILE')), ['File2', 'file10'])
    assert.deepEqual(names(arrange(items, 'name', 'nothing')), [])
  })
})

describe('a key in the list', () => {
  it('moves within the rows, a screen at a time where asked', () => {
    assert.equal(rowAfter('ArrowDown', 8, 10, 5), 9)
    assert.equal(rowAfter('ArrowDown', 9, 10, 5), 9)
    assert.equal(rowAfter('PageUp', 3, 10, 5), 0)
    assert.equal(rowAfter('End', 3, 10, 5), 9)
    assert.equal(rowAfter('x', 3, 10, 5), undefined)
    assert.equal(rowAfter('End', 0, 0, 5), undefined)
  })

  it('jumps to a name only where it types a character', () => {
    const key = (name: string, ctrlKey = false) =>
      isTyped({ key: name, ctrlKey, metaKey: false, altKey: false })
    assert.deepEqual(
      [key('a'), key('ß'), key(' '), key('Enter'), key('a', true)],
      [true, true, false, false, false],
    )
  })
})
