import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { type FilesBench, openFilesBench } from './testing/files-bench.ts'

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

describe(
  'reading and writing a file',
  { skip: process.getuid?.() === 0 ? false : 'needs root: works under other uids' },
  () => {
    let bench: FilesBench
    before(async () => {
      bench = await openFilesBench()
    })
    after(() => bench.remove())

    it('preserves encoding, byte order mark and line ends', async () => {
      for (const [encoding, bytes] of Object.entries(files)) {
        writeFileSync(bench.at('f'), bytes)
        const { data } = await bench.get('read', { path: 'f' })
        assert.equal(data.encoding, encoding)
        const { status } = await bench.post('write', {
          path: 'g',
          content: data.content,
          encoding: data.encoding,
        })
        assert.deepEqual([status, readFileSync(bench.at('g'))], [200, bytes])
      }
    })

    it('continues at the end of a part in the middle of a file', async () => {
      writeFileSync(bench.at('long'), files['utf-16be'])
      let joined = ''
      for (let start = 0, isCut = true; isCut;) {
        const { data } = await bench.get('read', { path: 'long', start: String(start), limit: '7' })
        assert.equal(data.encoding, 'utf-16be')
        ;[joined, start, isCut] = [joined + data.content, data.end, data.is_cut]
      }
      assert.equal(joined, text)
      const behind = await bench.get('read', { path: 'long', start: '9000' })
      assert.deepEqual([behind.status, behind.data.content, behind.data.is_cut], [200, '', false])
    })

    it('preserves the first bytes of a binary file that begins like a byte order mark', async () => {
      for (const hex of ['fffe3dd8', 'feff00', 'efbbbfff', 'fffe']) {
        await bench.post('write', {
          path: 'g',
          content: Buffer.from(hex, 'hex').toString('base64'),
          encoding: 'base64',
        })
        const { data } = await bench.get('read', { path: 'g' })
        if (data.encoding === 'base64')
          assert.deepEqual([Buffer.from(data.content, 'base64').toString('hex'), data.start], [hex, 0])
      }
    })

    it('answers 400 for content that cannot be encoded', async () => {
      const { status, error } = await bench.post('write', {
        path: 'g',
        content: '漢',
        encoding: 'windows-1252',
      })
      assert.deepEqual([status, error.code], [400, 'bad_request'])
      assert.match(error.message, /^content: 漢 cannot be encoded as windows-1252/)
      assert.equal((await bench.post('write', { path: 'g', content: '', encoding: 'ebcdic' })).status, 400)
    })
  },
)
