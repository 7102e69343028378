import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Item } from '../queries.ts'
import { actionsFor } from './actions.ts'

const item = (name: string, type: Item['type'], isLocked = false): Item => ({
  name,
  label: name,
  path: name,
  type,
  size_bytes: 0,
  mode: '0644',
  owner: 'a',
  group: 'a',
  modified_at: '2026-01-01T00:00:00Z',
  is_locked: isLocked,
})
const ids = (...items: readonly Item[]) => actionsFor(items).map(({ id }) => id)

describe('what can be done', () => {
  it('is nothing where nothing is chosen', () => assert.deepEqual(ids(), []))

  it('fits the kind of a single entry', () => {
    assert.equal(ids(item('a.zip', 'file')).includes('extract'), true)
    assert.equal(ids(item('a.txt', 'file')).includes('extract'), false)
    assert.equal(ids(item('zip.zip', 'folder')).includes('extract'), false)
    assert.equal(ids(item('a', 'folder')).includes('vcs'), true)
    assert.equal(ids(item('a', 'link')).includes('mode'), false)
    assert.equal(ids(item('a', 'other')).includes('download'), false)
  })

  it('leaves out what only one entry can have where several are chosen', () => {
    const several = ids(item('a', 'file'), item('b', 'folder'))
    for (const id of ['open', 'rename', 'details', 'history', 'vcs'] as const)
      assert.equal(several.includes(id), false, id)
    for (const id of ['download', 'move', 'copy', 'compress', 'mode', 'lock', 'delete'] as const)
      assert.equal(several.includes(id), true, id)
  })

  it('unlocks only what is locked as a whole', () => {
    assert.equal(ids(item('a', 'file', true)).includes('unlock'), true)
    assert.equal(ids(item('a', 'file', true), item('b', 'file')).includes('lock'), true)
  })
})
