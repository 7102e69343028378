import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Item } from '../queries.ts'
import { branchesOf } from './branches.ts'

const folder = (path: string): Item => ({
  name: path,
  label: path,
  path,
  type: 'folder',
  size_bytes: 0,
  mode: '0755',
  owner: 'a',
  group: 'a',
  modified_at: '2026-01-01T00:00:00Z',
  is_locked: false,
})

it('ends with a line for the folders that were not read, with how many were', () => {
  const read = new Map([['', { items: [folder('a'), folder('b'), folder('.c')], isCut: true }]])
  const lines = branchesOf(new Set(['']), read, false)
  assert.deepEqual(
    lines.map(({ path, depth, shownOf }) => [path, depth, shownOf?.count]),
    [
      ['', 0, undefined],
      ['a', 1, undefined],
      ['b', 1, undefined],
      ['/', 1, 2],
    ],
  )
  const whole = branchesOf(new Set(['']), new Map([['', { items: [folder('a')], isCut: false }]]), false)
  assert.deepEqual(
    whole.map(({ path }) => path),
    ['', 'a'],
  )
})
