import assert from 'node:assert/strict'
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { constants, zstdCompressSync } from 'node:zlib'
import { Problem } from '../../core/problem.ts'
import { renderHeader } from './confined/tar-headers.ts'
import { ArchiveRefused } from './problems.ts'
import { confinedPids, makeBench, skip, type Bench } from './testing/homes.ts'

describe('archives of very many entries', { skip }, () => {
  let bench: Bench
  const own = () => bench.owners.of(bench.alice)
  const put = (name: string, content: Uint8Array) => {
    const path = join(bench.alice.home, name)
    writeFileSync(path, content)
    chownSync(path, bench.alice.uid, bench.alice.gid)
  }

  before(() => {
    bench = makeBench()
  })
  after(() => bench.remove())

  it('are not bombs merely because their headers compress well', async () => {
    const count = 140_000
    const header = (_: unknown, n: number) =>
      renderHeader({ name: `e/${n}`, type: '0', size: 0, mode: 0o644, mtime: 0, linkName: '' })
    const packed = zstdCompressSync(
      Buffer.concat([...Array.from({ length: count }, header), Buffer.alloc(1024)]),
      {
        params: { [constants.ZSTD_c_compressionLevel]: 9 },
      },
    )
    assert.ok(count * 512 > packed.length * 250)
    put('empty.tar.zst', packed)
    assert.equal((await own().archives.look('empty.tar.zst', 'new')).files, count)
  })

  it('are refused before they fill the memory of the helper, which stays alive', async () => {
    put('many.zip', zipOf(2_000_000))
    await own().stat('')
    const before = confinedPids(bench.alice.uid)
    const refused = (error: unknown) =>
      error instanceof Problem &&
      error.kind === ArchiveRefused &&
      /more than 300000 entries/.test(error.message)
    await assert.rejects(own().archives.extract('many.zip', 'new'), refused)
    assert.deepEqual(confinedPids(bench.alice.uid), before)
  })
})

/** A zip64 archive of one empty entry that its directory names again and again. */
function zipOf(count: number): Buffer {
  const local = Buffer.from(`504b0304${'14000000'}${'00'.repeat(18)}0100000061`, 'hex')
  const record = Buffer.from(`504b0102${'14001400'}${'00'.repeat(20)}0100${'00'.repeat(16)}61`, 'hex')
  const directory = Buffer.alloc(count * record.length, record)
  const [end, locator, last] = [Buffer.alloc(56), Buffer.alloc(20), Buffer.alloc(22)]
  end.writeUInt32LE(0x06064b50, 0)
  for (const [at, value] of [count, count, directory.length, local.length].entries())
    end.writeBigUInt64LE(BigInt(value), 24 + 8 * at)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(local.length + directory.length), 8)
  last.writeUInt32LE(0x06054b50, 0)
  last.fill(0xff, 8, 20)
  return Buffer.concat([local, directory, end, locator, last])
}
