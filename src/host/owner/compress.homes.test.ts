import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { deflateRawSync, crc32, gzipSync } from 'node:zlib'
import { Problem } from '../../core/problem.ts'
import { ArchiveRefused, DiskFull, NoSuchFile, NotPermitted, PathInvalid } from './problems.ts'
import { asOwner, makeBench, skip, type Bench } from './testing/homes.ts'
import { until } from '../../../test/support/until.ts'

const is = (kind: unknown) => (error: unknown) => error instanceof Problem && error.kind === kind

interface Member {
  readonly name: string
  readonly body?: string
  readonly mode?: number
  readonly host?: number
  readonly flags?: number
  readonly method?: number
  readonly crc?: number
  readonly size?: number
  readonly localName?: string
  readonly at?: number
}

/** Writes zip archives as no honest program would. */
function zip(...members: Member[]): Buffer {
  const [locals, directory]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const {
    name,
    body = '',
    mode = 0o100644,
    host = 3,
    flags = 0,
    method = 8,
    crc = crc32(body),
    size = body.length,
    localName = name,
    at,
  } of members) {
    const packed = method === 8 ? deflateRawSync(body) : Buffer.from(body)
    const sizes = [crc, packed.length, size].map((value) => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32LE(value >>> 0)
      return bytes
    })
    const fields = Buffer.concat([Buffer.from([flags, 0, method, 0, 0, 0, 0x21, 0x58]), ...sizes])
    const lengths = (text: string) => Buffer.from([text.length & 255, text.length >> 8, 0, 0])
    const head = Buffer.concat([
      Buffer.from([0x50, 0x4b, 3, 4, 20, 0]),
      fields,
      lengths(localName),
      Buffer.from(localName, 'latin1'),
      packed,
    ])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE((mode << 16) >>> 0, 6)
    tail.writeUInt32LE(at ?? offset, 10)
    directory.push(
      Buffer.concat([
        Buffer.from([0x50, 0x4b, 1, 2, 20, host, 20, 0]),
        fields,
        lengths(name),
        tail,
        Buffer.from(name, 'latin1'),
      ]),
    )
    locals.push(head)
    offset += head.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, ...directory, end])
}

const link = 0o120777
const refusals: Record<string, Member[]> = {
  'a name with ..': [{ name: '../out' }],
  'a name with .. by backslashes': [{ name: '..\\out', host: 0 }],
  'an absolute name': [{ name: '/etc/x' }],
  'a link out': [{ name: 'l', mode: link, body: '../../x' }],
  'an absolute link': [{ name: 'l', mode: link, body: '/etc/passwd' }],
  'a name through a link': [
    { name: 'd/', mode: 0o040755 },
    { name: 'l', mode: link, body: 'd' },
    { name: 'l/x', body: 'x' },
  ],
  'a device': [{ name: 'n', mode: 0o020666 }],
  'a named pipe': [{ name: 'p', mode: 0o010644 }],
  'an encrypted entry': [{ name: 'e', body: 'x', flags: 1 }],
  'another compression': [{ name: 'e', body: 'x', method: 12 }],
  'a wrong checksum': [{ name: 'e', body: 'x', crc: 1 }],
  'more bytes than promised': [{ name: 'e', body: 'xxxx', size: 2 }],
  'fewer bytes than promised': [{ name: 'e', body: 'xx', size: 4 }],
  'two names for one entry': [{ name: 'e', body: 'x', localName: 'f' }],
  'entries that overlap': [{ name: 'first', body: 'x', at: 0 }],
  'a place past the end': [{ name: 'e', body: 'x', at: 0xfffffff0 }],
  'a reserved name': [{ name: '.hostreeve-tmp-x' }],
}

describe('packing a home', { skip }, () => {
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
        '-printf',
        '%P %y %m %l %T@ ',
        '(',
        '-type',
        'f',
        '-printf',
        '%s',
        '-o',
        '-true',
        ')',
        '-printf',
        '\\n',
      ],
      { cwd: folder, encoding: 'latin1' },
    )
      .replaceAll(/\.\d{10}/g, '')
      .split('\n')
      .toSorted()
  const plant = () =>
    sh(
      `mkdir -p s/a/deep s/a/empty; printf text > s/a/f; head -c 300000 /dev/urandom > s/a/deep/bin; chmod 640 s/a/f; chmod 750 s/a/empty; ln -s ../f s/a/deep/up; touch "s/a/-x" "s/a/$(printf '\\377')" "s/a/$(printf 'n\\nl')" s/a/käse "s/a/a b"; touch -hd '2001-02-04 04:05:06' s/a/f s/a/deep/up s/a/deep/bin s/a/empty s/a/deep s/a`,
    )

  for (const name of ['x.zip', 'x.7z', 'x.tar', 'x.tar.gz', 'x.tgz', 'x.tar.zst', 'x.tar.xz']) {
    it(`restores from ${name} the content that was packed`, async () => {
      plant()
      if (name === 'x.7z') sh('rm s/a/n*l; mkfifo s/a/pipe; touch s/a/.hostreeve-tmp-x')
      const { archive } = await own().archives.compress(['s/a', 's/a/deep/bin'].slice(0, 1), name)
      assert.equal(archive, name)
      assert.deepEqual([statSync(at(name)).uid, statSync(at(name)).mode & 0o777], [bench.alice.uid, 0o644])
      await own().archives.extract(name, 'out')
      sh('rm -f s/a/pipe s/a/.host*')
      const noLinkTimes = (lines: string[]) =>
        lines.map((line) => (line.includes(' l ') || line === '' ? line.replace(/ \d{9,} /, ' ') : line))
      assert.deepEqual(noLinkTimes(tree(at('out/a'))), noLinkTimes(tree(at('s/a'))))
      assert.deepEqual(readFileSync(at('out/a/deep/bin')), readFileSync(at('s/a/deep/bin')))
      assert.deepEqual(readdirSync(at()).toSorted(), ['out', 's', name])
    })
  }

  it('creates archives that the tools can read, with names relative to the common folder', async () => {
    sh('mkdir -p s/a s/b; printf 1 > s/a/f; printf 2 > s/b/-g')
    await own().archives.compress(['s/a/f', '/s/b'], 'x.zip')
    await own().archives.compress(['s/a/f', '/s/b'], 'x.tar.xz')
    assert.deepEqual(
      execFileSync('unzip', ['-Z1', at('x.zip')], { encoding: 'utf8' })
        .split('\n')
        .toSorted(),
      ['', 'a/f', 'b/', 'b/-g'],
    )
    assert.deepEqual(
      execFileSync('tar', ['-tf', at('x.tar.xz')], { encoding: 'utf8' })
        .split('\n')
        .toSorted(),
      ['', './a/f', './b/', './b/-g'],
    )
  })

  it('appends a number if the name is taken, and packs the home without the archive', async () => {
    sh('printf 1 > f; ln -s absent x.zip.1')
    assert.equal((await own().archives.compress(['f'], 'x.zip')).archive, 'x.zip')
    assert.equal((await own().archives.compress(['f'], 'x.zip')).archive, 'x.zip.2')
    assert.equal((await own().archives.compress(['/'], 'home.tar')).archive, 'home.tar')
    assert.deepEqual(
      execFileSync('tar', ['-tf', at('home.tar')], { encoding: 'utf8' })
        .split('\n')
        .toSorted(),
      ['', './', './f', './x.zip', './x.zip.1', './x.zip.2'],
    )
    await own().archives.extract('x.zip.2', 'out')
    assert.equal(readFileSync(at('out/f'), 'utf8'), '1')
  })

  it('refuses missing and unreadable paths, and names without a format', async () => {
    sh('touch f')
    await assert.rejects(
      own().archives.compress(['f', 'absent'], 'x.zip'),
      (error: Error) => is(NoSuchFile)(error) && error.message.includes('absent'),
    )
    for (const name of ['x', 'x.rar', '.zip', '../x.zip'])
      await assert.rejects(own().archives.compress(['f'], name), is(PathInvalid), name)
    writeFileSync(at('of-root'), 'x', { mode: 0o600 })
    for (const name of ['x.zip', 'x.tar'])
      await assert.rejects(own().archives.compress(['of-root'], name), is(NotPermitted), name)
    assert.deepEqual(readdirSync(at()).toSorted(), ['f', 'of-root'])
  })

  it('stops when cancelled, and leaves no files', async () => {
    sh('head -c 200000000 /dev/urandom > big')
    for (const name of ['x.zip', 'x.tar.gz', 'x.tar.xz']) {
      const stop = new AbortController()
      const packing = own().archives.compress(['big'], name, { signal: stop.signal })
      await until(() => readdirSync(at()).some((entry) => entry.startsWith('.hostreeve-tmp-')))
      stop.abort(new Error('enough'))
      await assert.rejects(packing, /enough/)
      await until(() => readdirSync(at()).join() === 'big')
    }
  })

  for (const [title, members] of Object.entries(refusals)) {
    it(`refuses a zip archive as a whole for ${title}`, async () => {
      await own().write('a.zip', zip({ name: 'first', body: 'first' }, ...members))
      await assert.rejects(own().archives.extract('a.zip', 'out'), is(ArchiveRefused))
      assert.deepEqual(readdirSync(at()), ['a.zip'])
    })
  }

  it('takes setuid from zip entries, backslashes of Windows for folders, and a comment behind the end', async () => {
    const whole = zip(
      { name: 'su', body: 'x', mode: 0o106755 },
      { name: 'd\\f', body: 'stored', host: 0, method: 0 },
      { name: 'l', mode: link, body: 'su' },
    )
    whole.writeUInt16LE(7, whole.length - 2)
    await own().write('a.zip', Buffer.concat([whole, Buffer.from('comment')]))
    await own().archives.extract('a.zip', 'out')
    assert.deepEqual(
      [
        statSync(at('out/su')).mode & 0o7777,
        readFileSync(at('out/d/f'), 'utf8'),
        readFileSync(at('out/l'), 'utf8'),
      ],
      [0o755, 'stored', 'x'],
    )
  })

  it('refuses damaged, cut and empty archives of every kind', async () => {
    sh('mkdir s; head -c 100000 /dev/urandom > s/f')
    for (const name of ['x.zip', 'x.tar.gz', 'x.tar.zst', 'x.tar.xz']) {
      await own().archives.compress(['s'], name)
      const whole = readFileSync(at(name))
      const broken = Buffer.from(whole)
      broken.fill(0x55, 50_000, 50_400)
      for (const bytes of [whole.subarray(0, whole.length - 3000), whole.subarray(0, 20), broken]) {
        await own().write('bad', bytes)
        await assert.rejects(own().archives.extract('bad', 'out'), is(ArchiveRefused), name)
      }
    }
    await own().write('bad', zip())
    await assert.rejects(own().archives.extract('bad', 'out'), is(ArchiveRefused))
    assert.equal(existsSync(at('out')), false)
  })

  it('refuses bombs of every kind', async () => {
    sh(
      'truncate -s 200M zeros; zip -q z.zip zeros; tar -cJf z.tar.xz zeros; tar -c --zstd -f z.tar.zst zeros; rm zeros',
    )
    for (const name of ['z.zip', 'z.tar.xz', 'z.tar.zst'])
      await assert.rejects(own().archives.extract(name, 'out'), /250 times/, name)
    await own().write('nested.gz', gzipSync(zip({ name: 'f', body: 'x' })))
    await assert.rejects(own().archives.extract('nested.gz', 'out'), is(ArchiveRefused))
  })

  it('reports a full disk, and keeps the existing files', async () => {
    const small = bench.account('small', 61_019)
    execFileSync('mount', [
      '-t',
      'tmpfs',
      '-o',
      `size=3m,uid=${small.uid},gid=${small.gid},mode=755`,
      'small',
      small.home,
    ])
    try {
      const files = bench.owners.of(small)
      execFileSync('sh', ['-c', `head -c 2000000 /dev/urandom > ${small.home}/f`])
      chownSync(join(small.home, 'f'), small.uid, small.gid)
      for (const name of ['x.zip', 'x.tar', 'x.tar.gz'])
        await assert.rejects(files.archives.compress(['f'], name), is(DiskFull), name)
      await assert.rejects(files.copy('f', 'g'), is(DiskFull))
      assert.deepEqual(readdirSync(small.home), ['f'])
    } finally {
      await bench.owners.close()
      execFileSync('umount', ['-l', small.home])
    }
  })
})
