import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { messageIdOf } from './message-id.ts'

describe('the Message-ID of a message', () => {
  const of = (text: string) => messageIdOf(Buffer.from(text))

  test('is read from the headers, whatever their case, and where the line is folded', () => {
    assert.equal(of('From: a\r\nMessage-ID: <1@example.com>\r\n\r\ntext'), '<1@example.com>')
    assert.equal(of('message-id:\r\n <2@example.com>\r\nFrom: a\r\n\r\n'), '<2@example.com>')
    assert.equal(of('Message-Id: <3@example.com>\n\ntext'), '<3@example.com>')
  })

  test('is not that of a message within the text, and may be missing', () => {
    assert.equal(of('From: a\r\n\r\nMessage-ID: <1@example.com>\r\n'), undefined)
    assert.equal(of('X-Message-ID: <1@example.com>\r\n\r\n'), undefined)
    assert.equal(of('Message-ID: none\r\n\r\n'), undefined)
    assert.equal(of(''), undefined)
  })
})
