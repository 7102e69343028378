import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChatStreamEvent, withEvent, withQuestion } from './chat-state.ts'

const after = (...events: readonly ChatStreamEvent[]) =>
  events.reduce(withEvent, withQuestion([], 'Hi')).at(-1)
const tool = { type: 'tool', name: 'list', is_error: false } as const

test('an answer grows with its chunks, and is replaced by the whole text', () => {
  assert.equal(
    after({ type: 'start' }, { type: 'chunk', content: 'a' }, { type: 'chunk', content: 'b' })?.text,
    'ab',
  )
  assert.equal(after({ type: 'chunk', content: 'a' }, { type: 'done', content: 'whole' })?.text, 'whole')
  assert.equal(after({ type: 'done', content: '' })?.text, '(no reply)')
})

test('shows the tools that were used, and how each ended', () => {
  const found = after(
    { ...tool, phase: 'start' },
    { ...tool, phase: 'start' },
    { ...tool, phase: 'end' },
    { ...tool, phase: 'end', is_error: true },
  )
  assert.deepEqual(
    found?.tools.map(({ state }) => state),
    ['failed', 'done'],
  )
})

test('a failure keeps what was answered before it', () => {
  const found = after({ type: 'chunk', content: 'a' }, { type: 'error', message: 'It broke off' })
  assert.deepEqual([found?.text, found?.failure], ['a', 'It broke off'])
})
