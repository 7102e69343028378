import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noConversation, withFrame, withMessage } from './conversation.ts'

describe('a conversation', () => {
  it('shows who is typing until the answer is there', () => {
    const asked = withFrame(withMessage(noConversation, 'hello'), { type: 'typing' })
    assert.deepEqual([asked.isTyping, asked.lines], [true, [{ from: 'user', text: 'hello' }]])
    const answered = withFrame(asked, { type: 'done', text: 'hi' })
    assert.deepEqual([answered.isTyping, answered.lines[1]], [false, { from: 'assistant', text: 'hi' }])
  })

  it('stays blocked, and shows a repeated notice once', () => {
    const blocked = withFrame(noConversation, { type: 'blocked', text: 'misused' })
    const again = withFrame(withFrame(blocked, { type: 'blocked', text: 'misused' }), { type: 'done' })
    assert.deepEqual(again, {
      lines: [{ from: 'notice', text: 'misused' }],
      isTyping: false,
      isBlocked: true,
    })
    const answered = withFrame(noConversation, { type: 'done', text: 'misused' })
    assert.deepEqual(withFrame(answered, { type: 'blocked', text: 'misused' }).lines, answered.lines)
  })
})
