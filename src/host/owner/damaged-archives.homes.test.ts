import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { bytesOf, damagedArchives, type Format } from './confined/testing/damaged-archives.ts'
import { ArchiveRefused } from './problems.ts'
import { makeBench, skip, type Bench } from './testing/homes.ts'

const seed = 20_261_122
const numRuns = process.env['HOSTREEVE_LONG'] ? 4000 : 40
const limits = { maxBytes: 1_000_000, maxEntries: 20, maxDepth: 20 }
const maxMs = 60_000

describe('unpacking a damaged archive in a home', { skip }, () => {
  let bench: Bench
  let sevenZip: Buffer
  const at = (...parts: string[]) => join(bench.alice.home, ...parts)
  before(() => {
    bench = makeBench()
    sevenZip = packSevenZip(join(bench.root, 'work'))
    writeFileSync(at('kept'), 'kept')
    writeFileSync(join(bench.root, 'outside'), 'outside')
  })
  after(() => bench.remove())

  for (const format of ['tar', 'gzip', 'zstd', 'xz', 'zip', '7z'] satisfies Format[])
    it(`of format ${format} writes below its destination only, or is refused as a whole`, async () => {
      const outcomes = { unpacked: 0, refused: 0 }
      const property = fc.asyncProperty(damagedArchives(format), async (archive) => {
        rmSync(at('out'), { recursive: true, force: true })
        writeFileSync(at('archive'), await bytesOf(archive, sevenZip))
        chownSync(at('archive'), bench.alice.uid, bench.alice.gid)
        const before = treeOf(bench.root)
        const outcome = await unpack()
        outcomes[outcome]++
        const isBelow = (path: string) => path === 'alice/out' || path.startsWith('alice/out/')
        const now = treeOf(bench.root)
        assert.deepEqual(
          now.filter(([path]) => !isBelow(path)),
          before,
        )
        if (outcome === 'refused') assert.deepEqual(now, before)
      })
      await fc.assert(property, { seed, numRuns })
      assert.ok(outcomes.unpacked > 1 && outcomes.refused > 1, JSON.stringify(outcomes))
    })

  async function unpack(): Promise<'unpacked' | 'refused'> {
    const startedAt = performance.now()
    try {
      const { bytes, entries } = await bench.owners
        .of(bench.alice)
        .archives.extract('archive', 'out', { limits })
      assert.ok(
        bytes <= limits.maxBytes && entries <= limits.maxEntries,
        `${bytes} bytes, ${entries} entries`,
      )
      assert.ok(sizeOf(at('out')) <= limits.maxBytes)
      return 'unpacked'
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      assert.equal(error.kind, ArchiveRefused, error.message)
      return 'refused'
    } finally {
      assert.ok(performance.now() - startedAt < maxMs, 'took too long')
    }
  }
})

function packSevenZip(folder: string): Buffer {
  mkdirSync(join(folder, 'd'), { recursive: true })
  for (const name of ['a', 'd/b', 'd/c']) writeFileSync(join(folder, name), `${name} `.repeat(500))
  execFileSync('sh', ['-ec', 'cd "$1"; ln -s b d/l; 7zz a -bso0 -bsp0 -snl a.7z a d', 'sh', folder])
  const bytes = readFileSync(join(folder, 'a.7z'))
  rmSync(folder, { recursive: true })
  return bytes
}

/** Every path below a folder with what identifies its content; links are not followed. */
function treeOf(root: string): readonly (readonly [path: string, facts: string])[] {
  return readdirSync(root, { recursive: true, encoding: 'latin1' })
    .toSorted()
    .map((path) => {
      const { mode, size, mtimeMs, uid } = lstatSync(Buffer.from(join(root, path), 'latin1'))
      return [path, mode & 0o40000 ? `${mode} ${uid}` : `${mode} ${uid} ${size} ${mtimeMs}`]
    })
}

function sizeOf(folder: string): number {
  return treeOf(folder).reduce((total, [path]) => {
    const found = lstatSync(Buffer.from(join(folder, path), 'latin1'))
    return total + (found.isFile() ? found.size : 0)
  }, 0)
}
