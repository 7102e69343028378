import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { asOwner, killConfined, makeBench, skip, type Bench } from './testing/homes.ts'
import {
  AlreadyThere,
  FileChanged,
  FolderNotEmpty,
  HelperFailed,
  IsAFolder,
  NoSuchFile,
  NotAFile,
  NotAFolder,
  NotPermitted,
  OwnerUnavailable,
  PathInvalid,
  TooLarge,
} from './problems.ts'
import { until } from '../../../test/support/until.ts'

const is = (kind: unknown) => (error: unknown) => error instanceof Problem && error.kind === kind

describe('files of a hosting user', { skip }, () => {
  let bench: Bench
  before(() => {
    bench = makeBench()
  })
  after(() => bench.remove())
  const own = () => bench.owners.of(bench.alice)
  const text = async (path: string) =>
    Buffer.concat(await (await own().read(path)).stream.toArray()).toString()

  it('writes a file as the user, reads it and a range of it', async () => {
    const written = await own().write('/hello.txt', Buffer.from('hello world'))
    const found = statSync(join(bench.alice.home, 'hello.txt'))
    assert.deepEqual(
      [found.uid, found.gid, found.mode & 0o7777, written.created],
      [bench.alice.uid, bench.alice.gid, 0o644, true],
    )
    assert.equal(await text('hello.txt'), 'hello world')
    const range = await own().read('hello.txt', { start: 6, end: 8 })
    assert.equal(Buffer.concat(await range.stream.toArray()).toString(), 'wo')
    assert.equal((await own().stat('hello.txt')).etag, written.etag)
  })

  it('replaces a file atomically, keeps its mode, and refuses one that has changed', async () => {
    const { etag } = await own().write('keep.txt', Buffer.from('one'))
    chmodSync(join(bench.alice.home, 'keep.txt'), 0o600)
    await assert.rejects(own().write('keep.txt', Buffer.from('two'), { ifMatch: etag }), is(FileChanged))
    await own().write('keep.txt', Readable.from([Buffer.from('th'), Buffer.from('ree')]))
    assert.equal(await text('keep.txt'), 'three')
    assert.equal(statSync(join(bench.alice.home, 'keep.txt')).mode & 0o777, 0o600)
    await assert.rejects(own().write('keep.txt', Buffer.from('x'), { ifAbsent: true }), is(AlreadyThere))
  })

  it('leaves the old file when a body is too large, fails, or is cancelled', async () => {
    await own().write('old.txt', Buffer.from('old'))
    await assert.rejects(own().write('old.txt', Buffer.alloc(5000), { maxBytes: 4999 }), is(TooLarge))
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('new')
        throw new Error('the line broke')
      })(),
    )
    await assert.rejects(own().write('old.txt', broken), /the line broke/)
    const stop = new AbortController()
    const endless = Readable.from(
      (async function* () {
        for (;;) {
          yield Buffer.alloc(65536)
          stop.abort(new Error('enough'))
        }
      })(),
    )
    await assert.rejects(own().write('old.txt', endless, { signal: stop.signal }), /enough/)
    assert.equal(await text('old.txt'), 'old')
    assert.deepEqual(
      readdirSync(bench.alice.home).filter((name) => name.startsWith('.hostreeve')),
      [],
    )
  })

  it('removes nothing where its caller leaves before its helper is asked', async () => {
    const leaving = new AbortController()
    await own().write('stays.txt', Buffer.from('kept'))
    const removing = own().remove(['stays.txt'], { signal: leaving.signal })
    leaving.abort(new Error('gone'))
    await assert.rejects(removing, /gone/)
    assert.equal(await text('stays.txt'), 'kept')
  })

  it('lists pages in the requested order, hidden names only on request', async () => {
    mkdirSync(join(bench.alice.home, 'many'))
    for (let n = 0; n < 25; n++)
      writeFileSync(join(bench.alice.home, 'many', `f${String(n).padStart(2, '0')}`), 'x'.repeat(25 - n))
    writeFileSync(join(bench.alice.home, 'many', '.hidden'), '')
    writeFileSync(join(bench.alice.home, 'many', '.hostreeve-tmp-left'), '')
    const second = await own().list('/many/', { page: 2, perPage: 10 })
    assert.deepEqual([second.total, second.items[0]?.name, second.items.length], [25, 'f10', 10])
    assert.equal((await own().list('many', { sort: 'size_bytes', perPage: 1 })).items[0]?.name, 'f24')
    assert.equal((await own().list('many', { descending: true })).items[0]?.name, 'f24')
    assert.equal((await own().list('many', { showHidden: true })).total, 26)
  })

  it('lists folders first and a part of a name in either case, over all pages', async () => {
    const folder = join(bench.alice.home, 'mixed')
    for (const name of ['b-Ärger', 'd-plain']) mkdirSync(join(folder, name), { recursive: true })
    for (const [name, size] of Object.entries({ a: 1, 'c-ÄRGER.txt': 9, e: 5 }))
      writeFileSync(join(folder, name), 'x'.repeat(size))
    symlinkSync('b-Ärger', join(folder, 'aa-link'))
    const names = async (options: Parameters<ReturnType<typeof own>['list']>[1]) => {
      const { items, total } = await own().list('mixed', { foldersFirst: true, ...options })
      return [total, ...items.map(({ name }) => name)]
    }
    assert.deepEqual(await names({}), [6, 'b-Ärger', 'd-plain', 'a', 'aa-link', 'c-ÄRGER.txt', 'e'])
    assert.deepEqual(await names({ page: 2, perPage: 2, descending: true }), [6, 'e', 'c-ÄRGER.txt'])
    assert.deepEqual(await names({ sort: 'size_bytes', descending: true, page: 2, perPage: 2 }), [
      6,
      'c-ÄRGER.txt',
      'aa-link',
    ])
    assert.deepEqual(await names({ search: 'äRG' }), [2, 'b-Ärger', 'c-ÄRGER.txt'])
    assert.deepEqual(await names({ search: 'ärg', page: 2, perPage: 1, foldersFirst: false }), [
      2,
      'c-ÄRGER.txt',
    ])
    assert.deepEqual(await names({ search: 'absent' }), [0])
  })

  it('lists folders first, and in every order, where no name is UTF-8', async () => {
    const folder = Buffer.from([0x78, 0xff])
    const below = (name: string) =>
      Buffer.concat([Buffer.from(`${bench.alice.home}/`), folder, Buffer.from(`/${name}`, 'latin1')])
    mkdirSync(below('b\xfe'), { recursive: true })
    writeFileSync(below('a\xfe'), 'xy')
    symlinkSync('nowhere', below('c\xfe'))
    const names = async (options: Parameters<ReturnType<typeof own>['list']>[1]) =>
      (await own().list(folder, options)).items.map((entry) =>
        Buffer.from(String(Object(entry).name_b64), 'base64').toString('latin1'),
      )
    assert.deepEqual(await names({ foldersFirst: true }), ['b\xfe', 'a\xfe', 'c\xfe'])
    assert.deepEqual(await names({ sort: 'type', descending: true }), ['c\xfe', 'b\xfe', 'a\xfe'])
    assert.equal((await names({ sort: 'modified_at' })).length, 3)
    assert.deepEqual(await names({ sort: 'size_bytes' }), ['a\xfe', 'c\xfe', 'b\xfe'])
  })

  it('carries names that are not UTF-8', async () => {
    const odd = Buffer.from([0x66, 0xff, 0x0a, 0x27])
    await own().write(odd, Buffer.from('odd'))
    const entry = (await own().list('', { perPage: 500 })).items.find((item) => item.name_b64 !== undefined)
    assert.equal(entry?.name_b64, odd.toString('base64'))
    assert.equal((await own().stat(odd)).size_bytes, 3)
    await own().write('käse 漢字.txt', Buffer.from('k'))
    assert.equal((await own().stat('käse 漢字.txt')).name, 'käse 漢字.txt')
    await own().remove([odd])
  })

  it('creates, moves and removes folders, up to the first path that fails, which is named', async () => {
    await own().mkdir('a/b/c', { recursive: true })
    await assert.rejects(own().mkdir('a'), is(AlreadyThere))
    await assert.rejects(own().remove(['a']), is(FolderNotEmpty))
    await assert.rejects(own().move('a/b', 'keep.txt'), is(AlreadyThere))
    await own().move('a/b', 'moved')
    await assert.rejects(
      own().remove(['moved', 'missing', 'a'], { recursive: true }),
      /missing does not exist/,
    )
    assert.equal(existsSync(join(bench.alice.home, 'moved')), false)
    assert.equal(existsSync(join(bench.alice.home, 'a')), true)
    await assert.rejects(own().remove(['/'], { recursive: true }), is(PathInvalid))
  })

  it('refuses the wrong kind of path with a problem that quotes it', async () => {
    await own().mkdir('dir')
    asOwner(bench.alice, 'mkfifo', 'pipe')
    await assert.rejects(own().read('dir'), is(IsAFolder))
    await assert.rejects(own().write('dir', Buffer.from('')), is(IsAFolder))
    await assert.rejects(own().list('/keep.txt'), is(NotAFolder))
    await assert.rejects(own().stat('keep.txt/'), is(NotAFolder))
    await assert.rejects(own().read('pipe'), is(NotAFile))
    await assert.rejects(
      own().read('/absent.txt'),
      (error: Error) => is(NoSuchFile)(error) && error.message.startsWith('/absent.txt does'),
    )
    for (const path of [
      '../x',
      'a/../../x',
      'a\0b',
      'x'.repeat(5000),
      'y'.repeat(256),
      '\ud800',
      '.hostreeve-tmp-x',
    ]) {
      await assert.rejects(async () => own().read(path), is(PathInvalid), path.slice(0, 10))
    }
  })

  it('refuses accounts that are not hosting users and homes that are not theirs', async () => {
    const refused = (fields: object) =>
      assert.rejects(bench.owners.of({ ...bench.alice, ...fields }).stat(''), is(OwnerUnavailable))
    await refused({ uid: 0 })
    await refused({ uid: 999 })
    await refused({ gid: 0 })
    await refused({ home: bench.bob.home })
    await refused({ home: '/etc' })
    await refused({ home: join(bench.root, 'absent') })
    symlinkSync(bench.alice.home, join(bench.root, 'link'))
    await refused({ home: join(bench.root, 'link') })
  })

  it('shows neither the host nor another home, whatever a link says', async () => {
    writeFileSync(join(bench.bob.home, 'secret'), 'of bob', { mode: 0o644 })
    asOwner(bench.alice, 'ln', '-s', '/etc/shadow', 'shadow')
    asOwner(bench.alice, 'ln', '-s', '/etc/passwd', 'passwd')
    asOwner(bench.alice, 'ln', '-s', join(bench.bob.home, 'secret'), 'bobs')
    asOwner(bench.alice, 'ln', '-s', '/', 'top')
    for (const path of [
      'shadow',
      'passwd',
      'bobs',
      'top/etc/passwd',
      'top/proc/1/environ',
      `top${bench.bob.home}/secret`,
    ]) {
      await assert.rejects(own().read(path), is(NoSuchFile), path)
    }
    await assert.rejects(
      own().write('passwd', Buffer.from('x')),
      (error: unknown) => is(NoSuchFile)(error) || is(NotPermitted)(error),
    )
    await assert.rejects(own().write('top/usr/x', Buffer.from('x')), is(NotPermitted))
    assert.equal((await own().stat('shadow')).link_target, '/etc/shadow')
    assert.equal(existsSync('/usr/x'), false)
  })

  it('keeps a link and writes the file behind it', async () => {
    await own().write('real.txt', Buffer.from('1'))
    asOwner(bench.alice, 'ln', '-s', join(bench.alice.home, 'real.txt'), 'alias')
    await own().write('alias', Buffer.from('2'), { ifMatch: (await own().stat('alias')).etag })
    assert.equal(await text('real.txt'), '2')
    assert.equal((await own().stat('alias')).type, 'link')
  })

  it('writes nothing outside while the folder is swapped for a link to another home', async () => {
    chmodSync(bench.bob.home, 0o777)
    asOwner(bench.alice, 'sh', '-c', `mkdir s1; ln -s ${bench.bob.home} s2`)
    const swapper = (await import('node:child_process')).spawn(
      'setpriv',
      [
        `--reuid=${bench.alice.uid}`,
        `--regid=${bench.alice.gid}`,
        '--clear-groups',
        'sh',
        '-c',
        'while :; do mv -T s1 s3; mv -T s2 s1; mv -T s1 s2; mv -T s3 s1; done',
      ],
      { cwd: bench.alice.home, stdio: 'ignore' },
    )
    try {
      for (let n = 0; n < 150; n++)
        await own()
          .write('s1/swapped.txt', Buffer.alloc(1000))
          .catch((error) => assert.ok(error instanceof Problem))
    } finally {
      swapper.kill('SIGKILL')
      await until(() => swapper.signalCode !== null)
    }
    chmodSync(bench.bob.home, 0o755)
    assert.deepEqual(readdirSync(bench.bob.home), ['secret'])
  })

  it('keeps the old file intact when the helper is killed during a write, and removes leftovers', async () => {
    await own().write('whole.txt', Buffer.from('whole old'))
    let killed = false
    const body = Readable.from(
      (async function* () {
        for (let n = 0; n < 50; n++) {
          yield Buffer.alloc(100_000)
          if (n !== 30) continue
          await until(() => readdirSync(bench.alice.home).some((name) => name.startsWith('.hostreeve-tmp-')))
          killConfined(bench.alice.uid)
          killed = true
        }
      })(),
    )
    await assert.rejects(own().write('whole.txt', body), is(HelperFailed))
    assert.ok(killed)
    assert.equal(await text('whole.txt'), 'whole old')
    await until(() => !readdirSync(bench.alice.home).some((name) => name.startsWith('.hostreeve-tmp-')))
  })
})
