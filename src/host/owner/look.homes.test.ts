import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { AlreadyThere, ArchiveRefused, DiskFull, NoSuchFile, NotAFolder, NotPermitted } from './problems.ts'
import { asOwner, makeBench, skip, type Bench } from './testing/homes.ts'

const is = (kind: unknown) => (error: unknown) => error instanceof Problem && error.kind === kind

describe('a look into an archive', { skip }, () => {
  let bench: Bench
  before(() => {
    bench = makeBench()
  })
  after(() => bench.remove())
  beforeEach(() => {
    for (const name of readdirSync(bench.alice.home))
      execFileSync('rm', ['-rf', '--', join(bench.alice.home, name)])
    sh(
      'mkdir -p in/d/e in/f; echo 1 >in/a; echo 2 >in/d/b; echo 3 >in/d/e/c; ln -s a in/l; tar -cf a.tar -C in .',
    )
  })
  const sh = (script: string) => asOwner(bench.alice, 'sh', '-ec', script)
  const own = () => bench.owners.of(bench.alice)
  const looked = { bytes: 6, replacedFiles: 0, replacedOthers: 0, paths: [] }

  it('counts what unpacking would make in a new folder and in an empty one, and makes nothing', async () => {
    sh('mkdir empty')
    for (const dest of ['new/folder', 'empty', 'empty/']) {
      const { folders, ...rest } = await own().archives.look('a.tar', dest)
      assert.deepEqual([folders, rest], [3, { ...looked, files: 4 }])
    }
    assert.deepEqual(readdirSync(bench.alice.home).sort(), ['a.tar', 'empty', 'in'])
  })

  it('names what unpacking would replace, and counts the links apart', async () => {
    sh('mkdir -p out/d/e; echo old >out/d/b; echo old >out/l; ln -s nowhere out/a')
    const found = await own().archives.look('a.tar', 'out')
    assert.deepEqual(found, {
      ...looked,
      files: 1,
      folders: 1,
      replacedFiles: 2,
      replacedOthers: 1,
      paths: found.paths,
    })
    assert.deepEqual(found.paths.toSorted(), ['out/d/b', 'out/l'])
    sh('for n in $(seq 30); do echo >in/many$n; done; tar -cf many.tar -C in .; cp -r in full')
    const { replacedFiles, paths } = await own().archives.look('many.tar', 'full')
    assert.deepEqual([replacedFiles, paths.length], [33, 20])
  })

  it('says the same as unpacking then does, in each format', async () => {
    for (const format of ['zip', 'tar.gz', 'tar.zst', 'tar.xz', '7z']) {
      await own().archives.compress(['in'], `x.${format}`)
      sh(`mkdir -p to-${format}/in; echo old >to-${format}/in/a`)
      const { files, folders, replacedFiles } = await own().archives.look(`x.${format}`, `to-${format}`)
      assert.deepEqual([files, folders, replacedFiles], [3, 3, 1], format)
      const told: string[] = []
      await own().archives.extract(`x.${format}`, `to-${format}`, {
        replacing: { compareBytes: 0, keep: async (paths) => void told.push(...paths) },
      })
      assert.deepEqual(told, [`to-${format}/in/a`])
    }
  })

  for (const [title, script, dest, kind] of [
    ['an archive that is none', 'echo no >a.tar', 'out', ArchiveRefused],
    ['one that is cut off', 'head -c 3000 a.tar >b.tar; mv b.tar a.tar', 'out', ArchiveRefused],
    ['one that is not there', 'rm a.tar', 'out', NoSuchFile],
    ['a place that is a file', 'echo >out', 'out', NotAFolder],
    ['a file in the place of a folder', 'mkdir out; echo >out/d', 'out', AlreadyThere],
    ['a folder in the place of a file', 'mkdir -p out/d/b', 'out', AlreadyThere],
    ['a folder that may not be written to', 'mkdir -p out/d; chmod 555 out/d', 'out', NotPermitted],
    [
      'an entry below a file',
      'mkdir p q; echo >p/x; mkdir q/x; echo >q/x/y; tar -cf a.tar -C p x -C ../q x/y',
      'out',
      ArchiveRefused,
    ],
  ] as const)
    it(`refuses what unpacking refuses, for the same reason: ${title}`, async () => {
      sh(script)
      await assert.rejects(own().archives.look('a.tar', dest), is(kind))
      await assert.rejects(own().archives.extract('a.tar', dest), is(kind))
    })

  it('refuses an archive or upload that the disk has no room for', async () => {
    const small = bench.account('look', 61_009)
    execFileSync('mount', [
      '-t',
      'tmpfs',
      '-o',
      `size=2m,uid=${small.uid},gid=${small.gid},mode=755`,
      'small',
      small.home,
    ])
    try {
      execFileSync('sh', [
        '-c',
        `mkdir "$0/src"; head -c 5000000 /dev/zero >"$0/src/big"; tar -czf "$1/a.tgz" -C "$0/src" big; chown ${small.uid} "$1/a.tgz"`,
        bench.root,
        small.home,
      ])
      const { archives, uploads } = bench.owners.of(small)
      await assert.rejects(archives.look('a.tgz', 'out'), is(DiskFull))
      const upload = uploads.of('1-look', 'big')
      await assert.rejects(upload.look(5_000_000), is(DiskFull))
      await upload.open(1000)
      const { isOpen, free } = await upload.look(1000)
      assert.ok(isOpen && free > 1000 && free < 2 * 1024 * 1024)
      await upload.cut()
      assert.equal((await upload.look()).isOpen, false)
    } finally {
      await bench.owners.close()
      execFileSync('umount', ['-l', small.home])
    }
  })
})
