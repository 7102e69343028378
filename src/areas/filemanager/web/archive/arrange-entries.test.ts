import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { labelled, pageOfEntries } from './arrange-entries.ts'

const entry = (path: string, size_bytes: number, modified_at = '2026-01-01T00:00:00.000Z') => ({
  path,
  type: 'file' as const,
  size_bytes,
  modified_at,
})
const entries = labelled([
  entry('a10', 5, '2026-01-03T00:00:00.000Z'),
  entry('a9', 1000, '2026-01-02T00:00:00.000Z'),
  entry('B', 30),
])
const pathsOf = (asked: Partial<Parameters<typeof pageOfEntries>[1]>) =>
  pageOfEntries(entries, { page: 1, per_page: 25, sort: 'path', ...asked }).items.map(({ path }) => path)

describe('the page of an archive’s entries', () => {
  it('is in the order that was chosen, names as people read them and sizes as numbers', () => {
    assert.deepEqual(pathsOf({}), ['a9', 'a10', 'B'])
    assert.deepEqual(pathsOf({ sort: '-path' }), ['B', 'a10', 'a9'])
    assert.deepEqual(pathsOf({ sort: 'size_bytes' }), ['a10', 'B', 'a9'])
    assert.deepEqual(pathsOf({ sort: '-modified_at' }), ['a10', 'a9', 'B'])
  })

  it('has the entries that match the filter in either case, and counts them', () => {
    assert.deepEqual(pathsOf({ search: 'A' }), ['a9', 'a10'])
    const page = pageOfEntries(entries, { page: 2, per_page: 1, sort: 'path', search: 'a' })
    assert.deepEqual([page.items.map(({ path }) => path), page.total], [['a10'], 2])
  })

  it('tells apart entries of one path, and shows bytes that are not UTF-8', () => {
    const [one, other] = labelled([
      { ...entry('x\ufffd', 1), path_b64: Buffer.from('x\xe9', 'latin1').toString('base64') },
      entry('x', 1),
    ])
    assert.deepEqual([one?.label, one?.at, other?.at], ['x\\xE9', 0, 1])
  })
})
