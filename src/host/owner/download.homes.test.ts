import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { NoSuchFile, NotAFile, NotAFolder, NotPermitted, PathInvalid } from './problems.ts'
import { asOwner, confinedPids, makeBench, skip, type Bench } from './testing/homes.ts'
import { until } from '../../../test/support/until.ts'

const is = (kind: unknown) => (error: unknown) => error instanceof Problem && error.kind === kind
const formats = ['zip', 'tar.gz'] as const

describe('a downloaded folder', { skip }, () => {
  let bench: Bench
  before(() => {
    bench = makeBench()
  })
  after(() => bench.remove())
  beforeEach(() => execFileSync('find', [bench.alice.home, '-mindepth', '1', '-delete']))
  const own = () => bench.owners.of(bench.alice)
  const at = (...parts: string[]) => join(bench.alice.home, ...parts)
  const sh = (script: string) => asOwner(bench.alice, 'sh', '-c', script)
  const tree = (folder: string) =>
    execFileSync(
      'find',
      [
        '.',
        '-mindepth',
        '1',
        '-not',
        '-type',
        'l',
        '-printf',
        '%P %y %m %Ts\\0',
        '-o',
        '-printf',
        '%P %l\\0',
      ],
      {
        cwd: folder,
        encoding: 'latin1',
      },
    )
      .split('\0')
      .toSorted()

  for (const format of formats) {
    it(`is restored from ${format} unchanged: modes, times, links as links, names of any bytes, and none of the panel's files`, async () => {
      sh(
        `mkdir -p 's/ä/deep' s/empty; printf text > s/ä/f; head -c 600000 /dev/urandom > s/ä/deep/bin; seq 1 200000 > s/many; chmod 640 s/ä/f; chmod 750 s/empty; ln -s ../f s/ä/deep/up; touch "s/$(printf '\\377')" "s/$(printf 'n\\nl')"; touch -hd '2001-02-04 04:05:06' s/ä/f s/many s/empty s/ä/deep s/ä s`,
      )
      sh('touch s/.hostreeve-tmp-x')
      await own().write(`x.${format}`, await buffer(await own().archives.download('s', format)))
      sh('rm s/.hostreeve-tmp-x; touch -d "2001-02-04 04:05:06" s')
      await own().archives.extract(`x.${format}`, 'out')
      assert.deepEqual(tree(at('out/s')), tree(at('s')))
      assert.deepEqual(readFileSync(at('out/s/ä/deep/bin')), readFileSync(at('s/ä/deep/bin')))
      assert.deepEqual(readFileSync(at('out/s/many')), readFileSync(at('s/many')))
    })

    it(`contains no byte of a link's target (${format})`, async () => {
      sh('mkdir s o; echo secret > o/secret; ln -s /etc/passwd s/out; ln -s ../o s/folder')
      writeFileSync(join(bench.root, 'a'), await buffer(await own().archives.download('s', format)))
      const [program, ...args] = format === 'zip' ? ['unzip', '-Z'] : ['tar', '-tvf']
      const lines = execFileSync(program as string, [...args, join(bench.root, 'a')], {
        encoding: 'utf8',
      }).split('\n')
      assert.equal(lines.filter((line) => line.startsWith('l')).length, 2)
      assert.equal(
        lines.some((line) => line.includes('secret')),
        false,
      )
    })

    it(`may be the whole home (${format}), or below a name that is not UTF-8`, async () => {
      sh(`mkdir -p "d$(printf '\\377')/in"; printf 1 > "d$(printf '\\377')/in/f"; printf 2 > g`)
      const names = async (path: string | Uint8Array) => {
        writeFileSync(
          join(bench.root, `a.${format}`),
          await buffer(await own().archives.download(path, format)),
        )
        const [program, ...args] = format === 'zip' ? ['unzip', '-Z1'] : ['tar', '-tf']
        const printed = execFileSync(program as string, [...args, join(bench.root, `a.${format}`)], {
          encoding: 'latin1',
        })
        return printed.split('\n').filter((name) => /f$|g$/.test(name)).length
      }
      assert.equal(await names(''), 2)
      assert.equal(await names(Buffer.from('d\xff/in', 'latin1')), 1)
    })

    it(`fails if a part of it cannot be read (${format}), and leaves no process behind`, async () => {
      sh('mkdir -p s/a; seq 1 300000 > s/a/first')
      writeFileSync(at('s/a/of-root'), 'x', { mode: 0o600 })
      await assert.rejects(buffer(await own().archives.download('s', format)), is(NotPermitted))
      await until(() => toolCount() === 0)
      assert.equal((await own().stat('s')).type, 'folder')
    })

    it(`waits for a slow reader (${format}), and stops when the reader disconnects`, async () => {
      sh('mkdir s; head -c 60000000 /dev/urandom > s/big')
      const stream = await own().archives.download('s', format)
      const held = await restOf(stream)
      assert.ok(held < 8_000_000, String(held))
      stream.destroy()
      await until(() => toolCount() === 0)
      assert.deepEqual(readdirSync(at()), ['s'])
      assert.equal((await own().stat('s')).type, 'folder')
    })
  }

  it('is refused before the first byte if it is not a folder, is a link, is missing or is not a path', async () => {
    sh('touch f; mkdir d; ln -s d l')
    for (const [path, kind] of [
      ['f', NotAFolder],
      ['l', NotAFile],
      ['absent', NoSuchFile],
      ['../x', PathInvalid],
    ] as const)
      for (const format of formats)
        await assert.rejects(own().archives.download(path, format), is(kind), path)
  })

  /** Programs that pack for her, beside the confined program itself. */
  const toolCount = () =>
    readdirSync('/proc').filter((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        return (
          /^Name:\s*(tar|xargs|7zz)$/m.test(status) &&
          confinedPids(bench.alice.uid).includes(Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]))
        )
      } catch {
        return false // not a process, or one that ended meanwhile
      }
    }).length
})

/** How many bytes a stream holds when nobody reads it and no more come. */
async function restOf(stream: Readable): Promise<number> {
  let last = -1
  const settled = () => {
    if (last > 0 && last === stream.readableLength) return last
    last = stream.readableLength
    stream.read(0)
    return undefined
  }
  return until(settled, { everyMs: 300, awaited: 'the end of reading ahead' })
}
