import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { decode, encode, markOf } from './encoding.ts'
import { contentOf } from './content.ts'

const text = 'Grüße, Привет, 漢字, 𝄞\r\nline\n'
const utf16 = Buffer.from(text, 'utf16le')
const files = {
  'utf-8': Buffer.from(text),
  'utf-8-bom': Buffer.from(`\ufeff${text}`),
  'utf-16le': Buffer.concat([Buffer.from('fffe', 'hex'), utf16]),
  'utf-16be': Buffer.concat([Buffer.from('feff', 'hex'), Buffer.from(utf16).swap16()]),
  'iso-8859-1': Buffer.from('K\xe4se \xa9\r\n', 'latin1'),
  'windows-1252': Buffer.from('\x80 5, \x84K\xe4se\x93 \x81', 'latin1'),
  base64: Buffer.from([0x89, 0x50, 0, 1, 2]),
} as const

describe('the encoding of a file', () => {
  for (const [name, bytes] of Object.entries(files))
    it(`is detected for ${name} and round-trips byte for byte`, () => {
      const { content, encoding } = contentOf(bytes, { start: 0, limit: 1000 })
      assert.equal(encoding, name)
      assert.deepEqual(encode(content, encoding), bytes)
      if (name.startsWith('utf')) assert.equal(content, text)
    })

  it('covers all 256 bytes except NUL in Windows-1252 and ISO-8859-1, so that nothing is lost', () => {
    for (const encoding of ['iso-8859-1', 'windows-1252'] as const) {
      const bytes = Buffer.from(
        Array.from({ length: 256 }, (_, at) => at).filter(
          (byte) => byte >= 0xa0 || (byte >= 0x20 && byte < 0x7f),
        ),
      )
      assert.deepEqual(encode(decode(bytes).content, encoding), bytes)
    }
    assert.equal(decode(Buffer.from([0x80, 0x85, 0x9f, 0xe9])).content, '€…Ÿé')
    assert.equal(decode(Buffer.from([0x80, 0x01])).encoding, 'base64')
  })

  it('falls back to bytes if the byte order mark is wrong', () => {
    for (const hex of ['fffe00', 'fffe00d8', 'efbbbfff', 'efbbbf00'])
      assert.equal(contentOf(Buffer.from(hex, 'hex'), { start: 0, limit: 9 }).encoding, 'base64', hex)
    assert.equal(markOf(Buffer.from('ef', 'hex')), undefined)
  })

  it('rejects characters that it cannot encode, and names the content field', () => {
    for (const [content, encoding] of [
      ['€', 'iso-8859-1'],
      ['漢', 'windows-1252'],
      ['\u0080', 'windows-1252'],
      ['a\ud800', 'utf-8'],
      ['no base64!', 'base64'],
      ['YQYQY', 'base64'],
    ] as const)
      assert.throws(
        () => encode(content, encoding),
        (error: unknown) => error instanceof Problem && error.message.startsWith('content: '),
      )
  })

  for (const name of ['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be'] as const)
    it(`is the same for ${name} wherever a part begins, and the parts join to the whole`, () => {
      const bytes = files[name]
      for (let limit = 1; limit <= bytes.length; limit++) {
        let joined = ''
        for (let at = 0; at < bytes.length;) {
          const part = contentOf(bytes, { start: at, limit })
          assert.equal(part.encoding, name, `${limit} from ${at}`)
          assert.ok(part.end > at)
          joined += part.content
          at = part.end
        }
        assert.equal(joined, text)
      }
      for (let start = 0; start < bytes.length; start++)
        assert.equal(contentOf(bytes, { start, limit: 4 }).encoding, name)
    })
})
