import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { ArchiveRefused, PathInvalid } from './problems.ts'
import { asOwner, makeBench, skip, type Bench } from './testing/homes.ts'
import { until } from '../../../test/support/until.ts'

const is = (kind: unknown) => (error: unknown) => error instanceof Problem && error.kind === kind
const pack = '7zz a -bso0 -bsp0 -snl'

/** What a hostile 7z archive holds beside a file, as shell lines that make `a.7z` in a folder of root's. */
const refusals: Record<string, readonly [script: string, message: RegExp]> = {
  'a link that points out': [`mkdir d; ln -s ../../x d/l; ${pack} a.7z f d`, /points out/],
  'a link to an absolute name': [`ln -s /etc l; ${pack} a.7z f l`, /absolute/],
  'an absolute name': [`${pack} -spf a.7z "$PWD/f"`, /absolute|reserved/],
  'a name with ..': [`mkdir d; cd d; ${pack} -spf ../a.7z ../f; cd ..`, /\.\./],
  'a named pipe': [`mkfifo p; ${pack} a.7z f p`, /pipe/],
  'content that is encrypted': [`${pack} -psecret a.7z f`, /encrypted/],
  'a directory that is encrypted': [`${pack} -psecret -mhe=on a.7z f`, /encrypted/],
  'two entries with the same name': [
    `printf 2 > g; ${pack} a.7z f g; 7zz rn -bso0 -bsp0 a.7z g f`,
    /the same name/,
  ],
  'names that differ in a line break alone': [
    `touch "$(printf 'a\\nb')" a_b; ${pack} a.7z f a*b`,
    /the same name/,
  ],
  'a reserved name': [`touch .hostreeve-tmp-x; ${pack} a.7z f .hostreeve-tmp-x`, /reserved/],
  'more folders than allowed': [`mkdir -p "$(printf 'd/%.0s' $(seq 70))"; ${pack} a.7z f d`, /deeper/],
  'more bytes than its size can hold': [`truncate -s 300M zeros; ${pack} -mx1 a.7z f zeros`, /250 times/],
  'an end in the middle': [
    `head -c 100000 /dev/urandom > g; ${pack} a.7z f g; truncate -s -200 a.7z`,
    /not a complete 7z/,
  ],
  'bytes that are not those packed': [
    `head -c 100000 /dev/urandom > g; ${pack} -mx0 a.7z f g; printf XXXX | dd of=a.7z bs=1 seek=50000 conv=notrunc 2>/dev/null`,
    /damaged/,
  ],
  'no entries': [`${pack} a.7z f; 7zz d -bso0 -bsp0 a.7z f`, /no entries/],
  'a head and nothing else': [`printf '7z\\274\\257\\047\\034\\000\\004' > a.7z`, /not a complete 7z/],
}

describe('7z archives in a home', { skip }, () => {
  let bench: Bench
  before(() => {
    bench = makeBench()
  })
  after(() => bench.remove())
  const own = () => bench.owners.of(bench.alice)
  const at = (...parts: string[]) => join(bench.alice.home, ...parts)
  const sh = (script: string) => asOwner(bench.alice, 'sh', '-c', script)
  const hostile = (script: string) => {
    const work = join(bench.root, 'work')
    execFileSync('sh', [
      '-ec',
      'rm -rf "$1"; mkdir "$1"; cd "$1"; printf first > f; eval "$2"; mv a.7z "$3"',
      'sh',
      work,
      script,
      at('a.7z'),
    ])
    chownSync(at('a.7z'), bench.alice.uid, bench.alice.gid)
  }
  beforeEach(() => execFileSync('find', [bench.alice.home, '-mindepth', '1', '-delete']))

  for (const [title, [script, expected]] of Object.entries(refusals)) {
    it(`are refused as a whole for ${title}`, async () => {
      hostile(script)
      await assert.rejects(
        own().archives.extract('a.7z', 'out'),
        (error: Error) => is(ArchiveRefused)(error) && expected.test(error.message),
      )
      assert.deepEqual(readdirSync(at()), ['a.7z'])
    })
  }

  it('lose setuid, keep other modes and names of any bytes, and are case-sensitive', async () => {
    hostile(
      `chmod 6755 f; mkdir d; touch d/-x "d/$(printf '\\377')" d/A d/a 'd/b\\..\\c'; chmod 640 d/A; chmod 700 d; ${pack} a.7z f d`,
    )
    await own().archives.extract('a.7z', 'out')
    const names = readdirSync(at('out/d'), { encoding: 'latin1' }).toSorted()
    assert.deepEqual(names, ['-x', 'A', 'a', 'b\\..\\c', 'ÿ'])
    assert.deepEqual(
      [
        statSync(at('out/f')).mode & 0o7777,
        statSync(at('out/d/A')).mode & 0o7777,
        statSync(at('out/d')).mode & 0o7777,
      ],
      [0o755, 0o640, 0o700],
    )
    assert.equal(statSync(at('out/f')).uid, bench.alice.uid)
  })

  it('are refused beyond the limits of the call, before anything is unpacked', async () => {
    hostile(`seq 50 | xargs touch; head -c 5000 /dev/zero > g; ${pack} a.7z [0-9]* g`)
    await assert.rejects(
      own().archives.extract('a.7z', 'out', { limits: { maxEntries: 49 } }),
      /more than 49 entries/,
    )
    await assert.rejects(
      own().archives.extract('a.7z', 'out', { limits: { maxBytes: 4999 } }),
      /more than 4999 bytes/,
    )
    assert.equal((await own().archives.extract('a.7z', 'out')).entries, 51)
  })

  it('accept names that begin with a dash or an at-sign or contain wildcards or quotes, and refuse those with a line break', async () => {
    sh(
      `mkdir s; cd s; for name in -x @list '*' '?' '"' "'" a 'back\\slash' "$(printf '\\377')"; do printf "%s" "$name" > "$name"; done`,
    )
    const names = readdirSync(at('s'), { encoding: 'latin1' }).toSorted()
    await own().archives.compress(
      names.map((name) => Buffer.from(`s/${name}`, 'latin1')),
      'x.7z',
    )
    await own().archives.extract('x.7z', 'out')
    assert.deepEqual(readdirSync(at('out'), { encoding: 'latin1' }).toSorted(), names)
    assert.equal(readFileSync(at('out/*'), 'utf8'), '*')
    sh('touch "s/$(printf \'n\\nl\')"')
    await assert.rejects(own().archives.compress(['s'], 'y.7z'), is(PathInvalid))
  })

  it('are packed from the whole home without the panel’s own files, and unpacked from below a name that is not UTF-8', async () => {
    sh(`printf 1 > f; mkdir "d$(printf '\\377')" .hostreeve-trash; touch .hostreeve-trash/gone; ln -s f l`)
    await own().archives.compress([''], 'home.7z')
    sh(`mv home.7z "d$(printf '\\377')/home.7z"`)
    await own().archives.extract(Buffer.from('d\xff/home.7z', 'latin1'), 'out')
    assert.deepEqual(readdirSync(at('out'), { encoding: 'latin1' }).toSorted(), ['dÿ', 'f', 'l'])
  })

  it('stop when cancelled, and leave neither a process nor a file', async () => {
    sh('head -c 100000000 /dev/urandom > big; 7zz a -bso0 -bsp0 -mx0 big.7z big')
    for (const work of [
      (signal: AbortSignal) => own().archives.compress(['big'], 'again.7z', { signal }),
      (signal: AbortSignal) => own().archives.extract('big.7z', 'out', { signal }),
    ]) {
      const stop = new AbortController()
      const working = work(stop.signal)
      await until(() => readdirSync(at()).some((entry) => entry.startsWith('.hostreeve-tmp-')))
      stop.abort(new Error('enough'))
      await assert.rejects(working, /enough/)
      await until(() => readdirSync(at()).toSorted().join() === 'big,big.7z')
    }
  })
})
