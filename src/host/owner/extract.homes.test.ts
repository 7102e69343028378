import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Problem } from '../../core/problem.ts'
import { renderHeader } from './confined/tar-headers.ts'
import { ArchiveRefused, AlreadyThere, DiskFull, HelperFailed } from './problems.ts'
import { asOwner, killConfined, makeBench, skip, type Bench } from './testing/homes.ts'
import { until } from '../../../test/support/until.ts'

const is = (kind: unknown) => (error: unknown) => error instanceof Problem && error.kind === kind

interface Member {
  readonly name: string
  readonly type?: string
  readonly body?: string
  readonly mode?: number
  readonly linkName?: string
  readonly size?: number
}

function tar(...members: Member[]): Buffer {
  const parts = members.flatMap(
    ({ name, type = '0', body = '', mode = 0o644, linkName = '', size = body.length }) => {
      const content = Buffer.alloc(Math.ceil(body.length / 512) * 512)
      content.write(body)
      return [renderHeader({ name, type, size, mode, mtime: 1_700_000_000, linkName }), content]
    },
  )
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}

const pax = (text: string): Member => ({ name: 'pax', type: 'x', body: `${text.length + 4} ${text}\n` })

const refusals: Record<string, Member[]> = {
  'a name with ..': [{ name: 'a/../../out' }],
  'an absolute name': [{ name: '/etc/cron.d/x' }],
  'a name with .. in an extended header': [pax('path=../evil'), { name: 'fine' }],
  'a link to an absolute name': [{ name: 'l', type: '2', linkName: '/etc' }],
  'a link that points out': [{ name: 'd/l', type: '2', linkName: '../../x' }],
  'a link that points out behind another link': [
    { name: 'd', type: '5' },
    { name: 'm', type: '2', linkName: 'd' },
    { name: 'n', type: '2', linkName: 'm/../../x' },
  ],
  'an entry that passes through a link': [
    { name: 'd', type: '5' },
    { name: 'l', type: '2', linkName: 'd' },
    { name: 'l/x', body: 'x' },
  ],
  'a hard link out': [{ name: 'h', type: '1', linkName: '../whole' }],
  'a hard link to nothing': [{ name: 'h', type: '1', linkName: 'absent' }],
  'a hard link to a link that would point out at its own place': [
    { name: 'd', type: '5' },
    { name: 'd/l', type: '2', linkName: '../x' },
    { name: 'h', type: '1', linkName: 'd/l' },
  ],
  'an entry that passes through a hard link to a link': [
    { name: 'd', type: '5' },
    { name: 'l', type: '2', linkName: 'd' },
    { name: 'h', type: '1', linkName: 'l' },
    { name: 'h/x', body: 'x' },
  ],
  'a character device': [{ name: 'null', type: '3' }],
  'a block device': [{ name: 'sda', type: '4' }],
  'a named pipe': [{ name: 'pipe', type: '6' }],
  'a sparse entry': [{ name: 's', type: 'S', size: 0 }],
  'a reserved name': [{ name: '.hostreeve-tmp-x' }],
  'more folders than allowed': [{ name: 'd/'.repeat(70) + 'f' }],
  'a name that is too long': [{ name: 'n'.repeat(300) }],
  'more bytes than allowed': [pax('size=99999999999999'), { name: 'huge' }],
  'an end in the middle': [{ name: 'cut', size: 5000, body: '' }],
}

describe('archives in a home', { skip }, () => {
  let bench: Bench
  before(() => {
    bench = makeBench()
  })
  after(() => bench.remove())
  beforeEach(() => {
    for (const name of readdirSync(bench.alice.home))
      execFileSync('rm', ['-rf', '--', join(bench.alice.home, name)])
    asOwner(bench.alice, 'sh', '-c', 'printf whole > whole')
  })
  const own = () => bench.owners.of(bench.alice)
  const put = (bytes: Buffer, name = 'a.tar.gz') => own().write(name, bytes)
  const standing = () => readdirSync(bench.alice.home).sort()

  for (const [title, members] of Object.entries(refusals)) {
    for (const [kind, pack] of [
      ['tar', (bytes: Buffer) => bytes],
      ['tar.gz', gzipSync],
    ] as const) {
      it(`are refused as a whole for ${title} (${kind})`, async () => {
        await put(pack(tar({ name: 'first', body: 'first' }, ...members)))
        await assert.rejects(own().archives.extract('a.tar.gz', 'site'), is(ArchiveRefused))
        assert.deepEqual(standing(), ['a.tar.gz', 'whole'])
      })
    }
  }

  it('lose setuid and setgid bits', async () => {
    await put(tar({ name: 'su', body: '#!', mode: 0o6755 }, { name: 'd', type: '5', mode: 0o2000 }))
    await own().archives.extract('a.tar.gz', 'site')
    assert.equal(statSync(join(bench.alice.home, 'site/su')).mode & 0o7777, 0o755)
    assert.equal(statSync(join(bench.alice.home, 'site/d')).mode & 0o7777, 0)
    assert.equal(statSync(join(bench.alice.home, 'site/su')).uid, bench.alice.uid)
  })

  it('are refused when they are bombs, damaged, empty or not archives', async () => {
    const zeros = Buffer.alloc(130 * 1024 * 1024)
    await put(
      gzipSync(
        Buffer.concat([
          renderHeader({ name: 'zeros', type: '0', size: zeros.length, mode: 0o644, mtime: 0, linkName: '' }),
          zeros,
        ]),
      ),
    )
    await assert.rejects(own().archives.extract('a.tar.gz', 'site'), /250 times/)
    await put(tar(...Array.from({ length: 50 }, (_, n) => ({ name: `f${n}` }))))
    await assert.rejects(
      own().archives.extract('a.tar.gz', 'site', { limits: { maxEntries: 49 } }),
      /more than 49 entries/,
    )
    const good = gzipSync(tar({ name: 'f', body: 'x'.repeat(5000) }))
    for (const bytes of [
      good.subarray(0, good.length >> 1),
      Buffer.alloc(1024),
      Buffer.from('no archive'),
      Buffer.alloc(0),
      Buffer.alloc(2000, 'x'),
    ]) {
      await put(bytes)
      await assert.rejects(own().archives.extract('a.tar.gz', 'site'), is(ArchiveRefused))
    }
    assert.deepEqual(standing(), ['a.tar.gz', 'whole'])
  })

  it('are unpacked as by tar itself: long names, links, times, names that are not UTF-8', async () => {
    const source = join(bench.root, 'source')
    mkdirSync(join(source, 'deep', 'n'.repeat(120), 'm'.repeat(120)), { recursive: true })
    writeFileSync(join(source, 'deep', 'n'.repeat(120), 'm'.repeat(120), 'käse'), 'k')
    writeFileSync(Buffer.concat([Buffer.from(`${source}/`), Buffer.from([0xff, 0xfe])]), 'odd')
    writeFileSync(join(source, 'file'), Buffer.alloc(100_001, 'abc'))
    execFileSync(
      'sh',
      [
        '-c',
        'ln -s file link; ln -s ../file deep/up; ln file hard; mkdir empty; touch -d 2001-02-03 file; chmod 640 file',
      ],
      {
        cwd: source,
      },
    )
    for (const format of ['gnu', 'pax', 'ustar']) {
      const skipped = format === 'ustar' ? ['--exclude=n*'] : []
      execFileSync('tar', [
        `--format=${format}`,
        ...skipped,
        '-czf',
        join(bench.alice.home, 'real.tgz'),
        '-C',
        source,
        '.',
      ])
      chownSync(join(bench.alice.home, 'real.tgz'), bench.alice.uid, bench.alice.gid)
      await own().archives.extract('real.tgz', `site-${format}`)
      const tree = (folder: string) =>
        execFileSync(
          'sh',
          [
            '-c',
            `find . ${format === 'ustar' ? '-name "n*" -prune -o' : ''} -printf '%P %y %m %s %l %T@\\n' | cut -d. -f1-2 | grep -av ' d ' | sort`,
          ],
          { cwd: folder, encoding: 'latin1' },
        ).replace(/\.\d+/g, '')
      assert.equal(tree(join(bench.alice.home, `site-${format}`)), tree(source), format)
      assert.deepEqual(
        readFileSync(join(bench.alice.home, `site-${format}`, 'file')),
        readFileSync(join(source, 'file')),
      )
    }
  })

  it('are merged into an existing folder, and change nothing on any conflict', async () => {
    asOwner(bench.alice, 'sh', '-c', 'mkdir -p site/d; printf old > site/d/f; printf kept > site/kept')
    await put(tar({ name: './', type: '5' }, { name: './d/f', body: 'new' }, { name: './d/g', body: 'g' }))
    const done = await own().archives.extract('a.tar.gz', 'site')
    assert.equal(done.entries, 3)
    assert.equal(readFileSync(join(bench.alice.home, 'site/d/f'), 'utf8'), 'new')
    assert.equal(readFileSync(join(bench.alice.home, 'site/kept'), 'utf8'), 'kept')
    await put(tar({ name: 'added', body: 'a' }, { name: 'kept', type: '5' }))
    await assert.rejects(own().archives.extract('a.tar.gz', 'site'), is(AlreadyThere))
    assert.deepEqual(readdirSync(join(bench.alice.home, 'site')).sort(), ['d', 'kept'])
    assert.deepEqual(standing(), ['a.tar.gz', 'site', 'whole'])
  })

  it('report the files that they will replace by different content, and replace none before the confirmation', async () => {
    asOwner(
      bench.alice,
      'sh',
      '-c',
      'mkdir -p site/d; printf old > site/d/f; printf same > site/same; ln -s same site/link; printf kept > site/kept',
    )
    const odd = Buffer.from([0x6f, 0xff]).toString('latin1')
    writeFileSync(Buffer.from(join(bench.alice.home, 'site/') + odd, 'latin1'), 'x')
    await put(
      tar(...['d/f', 'd/new', 'link', odd].map((name) => ({ name, body: `new ${name.length}` })), {
        name: 'same',
        body: 'same',
      }),
    )
    const told: unknown[] = []
    const keep = async (paths: readonly string[], further: number) => {
      told.push(
        [...paths].sort(),
        further,
        readFileSync(join(bench.alice.home, 'site/d/f'), 'utf8'),
        readdirSync(join(bench.alice.home, 'site/d')),
      )
    }
    await own().archives.extract('a.tar.gz', 'site/', { replacing: { compareBytes: 100, keep } })
    assert.deepEqual(told, [['site/d/f', 'site/o\udcff'], 0, 'old', ['f']])
    assert.deepEqual(
      [
        readFileSync(join(bench.alice.home, 'site/d/f'), 'utf8'),
        statSync(join(bench.alice.home, 'site/link')).size,
      ],
      ['new 3', 5],
    )
  })

  it('report equal files that are too large to compare, and none if nothing is replaced', async () => {
    asOwner(bench.alice, 'sh', '-c', 'mkdir site; printf same > site/same')
    await put(tar({ name: 'same', body: 'same' }))
    const told: unknown[] = []
    const keep = async (paths: readonly string[]) => void told.push(paths)
    for (const [dest, compareBytes] of [
      ['site', 4],
      ['site', 3],
      ['fresh', 3],
    ] as const)
      await own().archives.extract('a.tar.gz', dest, { replacing: { compareBytes, keep } })
    assert.deepEqual(told, [['site/same']])
  })

  it('replace nothing if the reported files cannot be saved, or if they are cancelled in the meantime', async () => {
    asOwner(bench.alice, 'sh', '-c', 'mkdir site; printf old > site/f')
    await put(tar({ name: 'f', body: 'new' }, { name: 'g', body: 'new' }))
    const refuse = async () => Promise.reject(new Error('no room'))
    await assert.rejects(
      own().archives.extract('a.tar.gz', 'site', { replacing: { compareBytes: 100, keep: refuse } }),
      /no room/,
    )
    const stop = new AbortController()
    const wait = () => new Promise<void>(() => stop.abort(new Error('enough')))
    await assert.rejects(
      own().archives.extract('a.tar.gz', 'site', {
        signal: stop.signal,
        replacing: { compareBytes: 100, keep: wait },
      }),
      /enough/,
    )
    const kill = () => new Promise<void>(() => killConfined(bench.alice.uid))
    await assert.rejects(
      own().archives.extract('a.tar.gz', 'site', { replacing: { compareBytes: 100, keep: kill } }),
      is(HelperFailed),
    )
    assert.deepEqual(
      [readdirSync(join(bench.alice.home, 'site')), readFileSync(join(bench.alice.home, 'site/f'), 'utf8')],
      [['f'], 'old'],
    )
    await own().stat('')
    await until(() => standing().join() === 'a.tar.gz,site,whole')
  })

  it('stop when cancelled, report their progress, and leave no files', async () => {
    await put(
      gzipSync(tar(...Array.from({ length: 20_000 }, (_, n) => ({ name: `d/f${n}`, body: String(n) })))),
    )
    const stop = new AbortController()
    let notes = 0
    const extracting = own().archives.extract('a.tar.gz', 'site', {
      signal: stop.signal,
      onProgress: ({ entries }) => {
        notes++
        if (entries > 0) stop.abort(new Error('enough'))
      },
    })
    await assert.rejects(extracting, /enough/)
    assert.ok(notes > 0)
    assert.deepEqual(standing(), ['a.tar.gz', 'whole'])
  })

  it('leave no temporary folder after the helper was killed', async () => {
    await put(
      gzipSync(tar(...Array.from({ length: 20_000 }, (_, n) => ({ name: `d/f${n}`, body: String(n) })))),
    )
    const extracting = own().archives.extract('a.tar.gz', 'site', {
      onProgress: () => killConfined(bench.alice.uid),
    })
    await assert.rejects(extracting, is(HelperFailed))
    assert.ok(!standing().includes('site'))
    await own().stat('')
    await until(() => standing().join() === 'a.tar.gz,whole')
  })

  it('and files report a full disk, and keep the existing files', async () => {
    const small = bench.account('small', 61_009)
    execFileSync('mount', [
      '-t',
      'tmpfs',
      '-o',
      `size=2m,uid=${small.uid},gid=${small.gid},mode=755`,
      'small',
      small.home,
    ])
    try {
      const files = bench.owners.of(small)
      await files.write('old', Buffer.from('old'))
      await assert.rejects(
        files.write('old', Buffer.alloc(4_000_000)),
        (error: Error) => is(DiskFull)(error) && error.message.includes('disk that holds the home is full'),
      )
      await files.write('a.tgz', gzipSync(tar({ name: 'big', body: 'x'.repeat(5_000_000) })))
      await assert.rejects(files.archives.extract('a.tgz', 'site'), is(DiskFull))
      assert.deepEqual(readdirSync(small.home).sort(), ['a.tgz', 'old'])
      assert.equal(readFileSync(join(small.home, 'old'), 'utf8'), 'old')
    } finally {
      await bench.owners.close()
      execFileSync('umount', ['-l', small.home])
    }
  })
})
