import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { canWrite, lineEndsOf } from './encoding.ts'

describe('the encoding of a file', () => {
  it('tells how lines end', () => {
    assert.deepEqual(['a', 'a\nb\n', 'a\r\nb\r\n', 'a\r\nb\n'].map(lineEndsOf), [
      'LF',
      'LF',
      'CRLF',
      'LF and CRLF',
    ])
  })

  it('knows which characters an old encoding lacks', () => {
    assert.equal(canWrite('café', 'iso-8859-1'), true)
    assert.equal(canWrite('5 €', 'iso-8859-1'), false)
    assert.equal(canWrite('5 € – “x”', 'windows-1252'), true)
    assert.equal(canWrite('日本', 'windows-1252'), false)
    assert.equal(canWrite('日本', 'utf-16le'), true)
  })
})
