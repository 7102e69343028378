import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { onUntold, rememberUndo, takeUndo } from './undoable.ts'

const post = { method: 'POST', path: '/plugins/uptime/enable' }
const answer = (id?: number) => ({
  headers: new Headers(id === undefined ? {} : { 'x-undo-id': String(id) }),
})
const untold: number[] = []

beforeEach(() => {
  takeUndo()
  untold.length = 0
  onUntold((id) => untold.push(id))
})

test('offers the undo of a change once', () => {
  rememberUndo(post, answer(7))
  assert.equal(takeUndo(), 7)
  assert.equal(takeUndo(), undefined)
})

test('offers nothing after a change that cannot be undone, but keeps the offer over reads and plans', () => {
  rememberUndo(post, answer(7))
  rememberUndo({ ...post, method: 'GET' }, answer())
  rememberUndo({ ...post, query: { plan: 1 } }, answer())
  assert.equal(takeUndo(), 7)
  rememberUndo(post, answer(8))
  rememberUndo(post, answer())
  assert.equal(takeUndo(), undefined)
})

test('reports a change that no page has reported, and no other', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  rememberUndo(post, answer(7))
  t.mock.timers.tick(1999)
  assert.equal(takeUndo(), 7)
  rememberUndo(post, answer(8))
  rememberUndo(post, answer(9))
  t.mock.timers.tick(1999)
  assert.deepEqual(untold, [])
  t.mock.timers.tick(1)
  assert.deepEqual([untold, takeUndo()], [[9], undefined])
})
