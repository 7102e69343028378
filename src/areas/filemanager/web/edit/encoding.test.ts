import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lineEndsOf, textOf, writtenAs } from './encoding.ts'

const base64 = (...bytes: number[]) => Buffer.from(bytes).toString('base64')

describe('the encoding of a file', () => {
  it('is kept for UTF-8, with and without a mark at the begin', () => {
    assert.deepEqual(textOf({ content: 'é', encoding: 'utf-8' }), { text: 'é', encoding: 'UTF-8' })
    assert.deepEqual(textOf({ content: '\uFEFFé', encoding: 'utf-8' }), { text: 'é', encoding: 'UTF-8 with BOM' })
    assert.deepEqual(writtenAs('é', 'UTF-8 with BOM'), { content: '\uFEFFé', encoding: 'utf-8' })
  })

  it('is found for western text, which goes back byte for byte', () => {
    const content = Buffer.from('caf\xe9 \x80\r\n', 'latin1').toString('base64')
    assert.deepEqual(textOf({ content, encoding: 'base64' }), { text: 'café €\r\n', encoding: 'Windows-1252' })
    assert.deepEqual(writtenAs('café €\r\n', 'Windows-1252'), { content, encoding: 'base64' })
    assert.equal(writtenAs('日本', 'Windows-1252'), undefined)
  })

  it('is found for UTF-16 by its mark', () => {
    const content = base64(0xff, 0xfe, 0x61, 0x00, 0xe5, 0x65)
    assert.deepEqual(textOf({ content, encoding: 'base64' }), { text: 'a日', encoding: 'UTF-16' })
    assert.deepEqual(writtenAs('a日', 'UTF-16'), { content, encoding: 'base64' })
  })

  it('is none for what is no text', () => assert.equal(textOf({ content: base64(0, 1, 2, 200), encoding: 'base64' }), undefined))

  it('tells how lines end', () => {
    assert.deepEqual(['a', 'a\nb\n', 'a\r\nb\r\n', 'a\r\nb\n'].map(lineEndsOf), ['LF', 'LF', 'CRLF', 'LF and CRLF'])
  })
})
