import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { withoutSpecial } from './pack-tar-entries.ts'
import { renderHeader } from './tar-headers.ts'

async function cut(archive: Buffer, size: number): Promise<Buffer> {
  const parts = Array.from({ length: Math.ceil(archive.length / size) }, (_, at) =>
    archive.subarray(at * size, (at + 1) * size),
  )
  const pieces: Buffer[] = []
  for await (const piece of withoutSpecial(asStream(parts))) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function* asStream(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* parts
}

describe('a tar archive without its pipes', () => {
  let folder = ''
  const tar = (...names: string[]) =>
    execFileSync(
      'tar',
      [
        '--create',
        '--format=posix',
        '--pax-option=delete=atime,delete=ctime',
        '--blocking-factor=1',
        ...names,
      ],
      { cwd: folder },
    )
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'entries-'))
    const long = 'n'.repeat(200)
    const script = `echo a >a; mkfifo p "${long}"; ln p q; ln "${long}" r; head -c 5000 /dev/urandom >b; ln b c; mkdir d; ln -s a l; : >z`
    execFileSync('sh', ['-ec', script], { cwd: folder })
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  for (const size of [1, 511, 512, 513, 1000, 100_000])
    it(`equals the archive that tar makes of the other files, however it is split (by ${size} bytes)`, async () => {
      const long = 'n'.repeat(200)
      const found = await cut(tar('a', 'p', 'q', 'b', long, 'r', 'c', 'd', 'l', 'z'), size)
      assert.ok(found.equals(tar('a', 'b', 'c', 'd', 'l', 'z')))
    })

  it('has content with its size in a preceding header, of zeros or header-like blocks', async () => {
    const record = Buffer.alloc(512)
    record.write('13 size=1536\n')
    const [pipe, pax] = [
      { name: 'p', type: '6', size: 0 },
      { name: 'x', type: 'x', size: 13 },
    ].map((head) => renderHeader({ ...head, mode: 0, mtime: 0, linkName: '' }))
    const large = renderHeader({ name: 'f', type: '0', size: 0, mode: 0, mtime: 0, linkName: '' })
    const content = Buffer.concat([Buffer.alloc(1024), pipe!])
    const whole = Buffer.concat([pax!, record, large, content, Buffer.alloc(1024)])
    assert.ok((await cut(Buffer.concat([pipe!, whole]), 700)).equals(whole))
  })

  it('is truncated if tar ended early', async () => {
    const archive = tar('a', 'b')
    assert.ok((await cut(archive.subarray(0, 3000), 512)).equals(archive.subarray(0, 3000)))
  })
})
