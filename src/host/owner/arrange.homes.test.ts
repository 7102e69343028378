import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import {
  AlreadyThere,
  HelperFailed,
  NoSuchFile,
  NotAFile,
  NotAFolder,
  NotPermitted,
  PathInvalid,
} from './problems.ts'
import { asOwner, killConfined, makeBench, skip, type Bench } from './testing/homes.ts'
import { until } from '../../../test/support/until.ts'

const is = (kind: unknown) => (error: unknown) => error instanceof Problem && error.kind === kind

describe('arranging a home', { skip }, () => {
  let bench: Bench
  before(() => {
    bench = makeBench()
  })
  after(() => {
    execFileSync('sh', ['-c', 'chattr -R -i -- "$1" 2>&1 || true', 'sh', bench.alice.home])
    return bench.remove()
  })
  beforeEach(() =>
    execFileSync(
      'sh',
      ['-c', 'chattr -R -i -- "$1"; find "$1" -mindepth 1 -delete', 'sh', bench.alice.home],
      { stdio: 'ignore' },
    ),
  )
  const own = () => bench.owners.of(bench.alice)
  const at = (...parts: string[]) => join(bench.alice.home, ...parts)
  const sh = (script: string) => asOwner(bench.alice, 'sh', '-c', script)
  const tree = (folder: string) =>
    execFileSync('find', ['.', '-printf', '%P %y %m %s %l %T@\\n'], { cwd: folder, encoding: 'utf8' })
      .split('\n')
      .map((line) => line.replace(/ \d+ (?= \d)/, ' '))
      .toSorted()

  it('copies a tree with modes, times, links and odd names, as the user', async () => {
    sh(`mkdir -p a/deep/er a/empty; printf x > a/f; chmod 640 a/f; ln -s ../../etc/passwd a/out; ln -s f a/in; touch "a/$(printf 'n\\nl')" "a/$(printf '\\377')"
      printf y > a/deep/er/y; mkdir -m 700 a/deep/er/most; printf z > a/deep/er/most/z; mkfifo a/deep/er/pipe; chmod 555 a/deep/er/most; chmod 500 a/deep/er; touch -hd 2001-02-03T04:05:06.5 a/f a/in a/deep/er a/empty a/deep; mkfifo a/pipe; touch -d 1999-01-01 a`)
    const done = await own().copy('a', 'b')
    assert.deepEqual([done.skipped, done.bytes], [2, 3])
    assert.deepEqual(
      tree(at('b')),
      tree(at('a')).filter((line) => !/^(deep\/er\/)?pipe /.test(line)),
    )
    assert.equal(readlinkSync(at('b/out')), '../../etc/passwd')
    assert.equal(statSync(at('b/f')).uid, bench.alice.uid)
    chmodSync(at('a/deep/er'), 0o700)
    chmodSync(at('b/deep/er'), 0o700)
  })

  it('carries ACLs, attributes of the user and hard links, and times to the nanosecond', async () => {
    sh(
      'mkdir a; printf x > a/f; ln a/f a/g; setfattr -n user.note -v kept a/f; setfacl -m u:12345:r a/f; setfacl -d -m g:12345:rx a; setfattr -n user.note -v too a',
    )
    await own().copy('a', 'b')
    const described = (folder: string) =>
      execFileSync('sh', ['-c', 'getfacl -Rn . ; getfattr -Rd -m ^user . ; stat -c %n:%h:%y . f g'], {
        cwd: at(folder),
        encoding: 'utf8',
      })
    assert.match(described('a'), /default:group:12345:r-x[^]*user:12345:r--[^]*user\.note="kept"[^]*f:2:/)
    assert.equal(described('b'), described('a'))
  })

  it('copies 50 GB of holes without writing them', async () => {
    sh('mkdir a; truncate -s 50G a/disk; printf end >> a/disk')
    await own().copy('a', 'b')
    assert.equal(statSync(at('b/disk')).size, 50 * 1024 ** 3 + 3)
    assert.ok(statSync(at('b/disk')).blocks * 512 < 1_000_000)
  })

  it("leaves out the panel's temporary files in a folder, and names a file that cannot be read", async () => {
    sh('mkdir -p a/.hostreeve-tmp-1-x/in; touch a/f a/.hostreeve-tmp-1-x/in/g')
    await own().copy('a', 'b')
    assert.deepEqual(readdirSync(at('b')), ['f'])
    writeFileSync(at('a/of-root'), 'x', { mode: 0o600 })
    await assert.rejects(
      own().copy('a', 'c'),
      (error: Error) => is(NotPermitted)(error) && error.message.startsWith('a/of-root'),
    )
    assert.deepEqual(readdirSync(at()).toSorted(), ['a', 'b'])
  })

  it('keeps the holes of a large file, and its bytes', async () => {
    writeFileSync(at('big'), Buffer.alloc(5_000_001, 'abc'))
    truncateSync(at('big'), 3 * 1024 ** 3)
    await own().copy('big', 'copy')
    assert.equal(statSync(at('copy')).size, 3 * 1024 ** 3)
    assert.ok(statSync(at('copy')).blocks * 512 < 100_000_000)
    assert.deepEqual(
      execFileSync('head', ['-c', '6000000', at('copy')], { maxBuffer: 1e7 }),
      execFileSync('head', ['-c', '6000000', at('big')], { maxBuffer: 1e7 }),
    )
  })

  it('drops setuid and setgid from a copy', async () => {
    sh('printf x > su; chmod 6755 su')
    await own().copy('su', 'copy')
    assert.equal(statSync(at('copy')).mode & 0o7777, 0o755)
  })

  it('copies into an existing folder when requested, and replaces files only when allowed', async () => {
    sh('mkdir d e; printf 1 > f; printf 2 > d/f')
    await assert.rejects(own().copy('f', 'd'), is(AlreadyThere))
    await assert.rejects(
      own().copy('f', 'd/', { into: true }),
      (error: Error) => is(AlreadyThere)(error) && error.message.startsWith('d/f exists'),
    )
    await own().copy('f', 'd/', { into: true, overwrite: true })
    assert.equal(readFileSync(at('d/f'), 'utf8'), '1')
    await own().move('d/f', '/', { into: true, overwrite: true })
    await own().move('d', 'e', { into: true })
    assert.deepEqual(readdirSync(at()).toSorted(), ['e', 'f'])
    await assert.rejects(own().copy('e', 'f', { overwrite: true }), is(AlreadyThere))
    await assert.rejects(own().copy('f', 'e', { overwrite: true }), is(AlreadyThere))
  })

  it('refuses a folder inside of itself, what is not there, and what is no file', async () => {
    sh('mkdir a; mkfifo p; ln -s a la')
    for (const to of ['a/b', 'la/b']) {
      await assert.rejects(own().copy('a', to), is(PathInvalid), to)
      await assert.rejects(own().move('a', to), is(PathInvalid), to)
    }
    await assert.rejects(own().copy('', 'x'), is(PathInvalid))
    await assert.rejects(
      own().copy('absent', 'x'),
      (error: Error) => is(NoSuchFile)(error) && error.message.startsWith('absent does'),
    )
    await assert.rejects(
      own().copy('a', 'absent/x'),
      (error: Error) => is(NoSuchFile)(error) && error.message.startsWith('absent does'),
    )
    await assert.rejects(own().move('absent', 'x'), is(NoSuchFile))
    await assert.rejects(own().copy('p', 'x'), is(NotAFile))
    assert.deepEqual(readdirSync(at()).toSorted(), ['a', 'la', 'p'])
  })

  it('leaves nothing of a copy that was cancelled, or whose program was killed', async () => {
    sh('mkdir a; cd a; seq 6000 | xargs touch; mkdir closed; touch closed/f; chmod 500 closed')
    const stop = new AbortController()
    const copying = own().copy('a', 'b', { signal: stop.signal })
    await until(() => readdirSync(at()).some((name) => name.startsWith('.hostreeve-tmp-')))
    stop.abort(new Error('enough'))
    await assert.rejects(copying, /enough/)
    assert.deepEqual(readdirSync(at()), ['a'])
    const killed = own().copy('a', 'b')
    killed.catch(() => {})
    await until(() => readdirSync(at()).some((name) => name.startsWith('.hostreeve-tmp-')))
    killConfined(bench.alice.uid)
    await assert.rejects(killed, is(HelperFailed))
    await own().stat('')
    await until(() => readdirSync(at()).join() === 'a')
    chmodSync(at('a/closed'), 0o700)
  })

  it('copies and chmods nothing of another home while a folder is swapped for a link to it', async () => {
    mkdirSync(join(bench.bob.home, 'd'), { recursive: true })
    writeFileSync(join(bench.bob.home, 'd/secret'), 'of bob', { mode: 0o644 })
    sh(`mkdir s1; touch s1/f; ln -s ${bench.bob.home}/d s2`)
    const loop = 'while :; do mv -T s1 s3; mv -T s2 s1; mv -T s1 s2; mv -T s3 s1; done'
    const swapper = spawn(
      'setpriv',
      [`--reuid=${bench.alice.uid}`, `--regid=${bench.alice.gid}`, '--clear-groups', 'sh', '-c', loop],
      {
        cwd: at(),
        stdio: 'ignore',
      },
    )
    try {
      for (let n = 0; n < 60; n++) {
        await own()
          .copy('s1', `c${n}`)
          .catch((error) => assert.ok(error instanceof Problem))
        await own()
          .chmod('s1', 0o777, { recursive: true })
          .catch((error) => assert.ok(error instanceof Problem))
        await own()
          .dirsize('s1')
          .catch((error) => assert.ok(error instanceof Problem))
      }
    } finally {
      swapper.kill('SIGKILL')
      await until(() => swapper.signalCode !== null)
    }
    assert.equal(statSync(join(bench.bob.home, 'd/secret')).mode & 0o777, 0o644)
    const copied = readdirSync(at(), { recursive: true, encoding: 'utf8' }).filter(
      (path) =>
        path.startsWith('c') && path.endsWith('secret') && lstatSync(at(path.split('/')[0]!)).isDirectory(),
    )
    assert.deepEqual(copied, [])
  })

  it('changes modes, of a whole tree too, and never across a link', async () => {
    sh('mkdir -p a/b; touch a/f a/b/g t; ln -s ../t a/l; ln -s t l; chmod 000 a/b')
    await own().chmod('t', 0o1777)
    assert.equal(statSync(at('t')).mode & 0o7777, 0o1777)
    assert.deepEqual(await own().chmod('a', 0o640, { recursive: true }), { changed: 4 })
    chmodSync(at('a'), 0o700)
    assert.deepEqual(
      ['a/b', 'a/f', 't'].map((path) => (statSync(at(path)).mode & 0o7777).toString(8)),
      ['640', '640', '1777'],
    )
    chmodSync(at('a/b'), 0o700)
    assert.equal(statSync(at('a/b/g')).mode & 0o777, 0o640)
    sh('chmod 000 a/f')
    await own().chmod('a/f', 0o600)
    assert.equal(statSync(at('a/f')).mode & 0o777, 0o600)
    await assert.rejects(own().chmod('l', 0o600), is(NotAFile))
    await assert.rejects(own().chmod('absent', 0o600), is(NoSuchFile))
    await assert.rejects(own().chmod('', 0o077), is(PathInvalid))
    writeFileSync(at('of-root'), '')
    await assert.rejects(own().chmod('of-root', 0o666), is(NotPermitted))
  })

  it('changes the modes of files or of folders alone, and leaves closed folders as they were', async () => {
    sh(
      'mkdir -p only/closed only/open; touch only/f only/closed/g only/open/h; chmod 755 only; chmod 750 only/open; chmod 100 only/closed',
    )
    const modes = () => {
      chmodSync(at('only/closed'), 0o700)
      return ['only', 'only/open', 'only/f', 'only/closed/g', 'only/open/h'].map((path) =>
        (statSync(at(path)).mode & 0o777).toString(8),
      )
    }
    assert.deepEqual(await own().chmod('only', 0o604, { recursive: true, only: 'files' }), { changed: 3 })
    assert.equal(statSync(at('only/closed')).mode & 0o777, 0o100)
    assert.deepEqual(modes(), ['755', '750', '604', '604', '604'])
    assert.deepEqual(await own().chmod('only', 0o705, { recursive: true, only: 'folders' }), { changed: 3 })
    assert.equal(statSync(at('only/closed')).mode & 0o777, 0o705)
    assert.deepEqual(modes(), ['705', '705', '604', '604', '604'])
  })

  it('tells the size that du -sb tells', async () => {
    sh(
      'mkdir -p a/b/c; head -c 12345 /dev/zero > a/f; ln a/f a/hard; ln -s /etc/passwd a/l; touch "a/$(printf \'n\\nl\')"; truncate -s 9G a/b/sparse; mkdir "$(printf \'d\\377\')"',
    )
    for (const path of ['a', '/', 'a/b/c/'])
      assert.equal(
        (await own().dirsize(path)).bytes,
        Number(execFileSync('du', ['-sb', at(path)], { encoding: 'utf8' }).split('\t')[0]),
        path,
      )
    assert.ok((await own().dirsize(Buffer.from([0x64, 0xff]))).bytes > 0)
    await assert.rejects(own().dirsize('a/f'), is(NotAFolder))
    await assert.rejects(own().dirsize('absent'), is(NoSuchFile))
    mkdirSync(at('a/closed'), { mode: 0o700 })
    await assert.rejects(
      own().dirsize('a'),
      (error: Error) => is(NotPermitted)(error) && error.message.includes('closed'),
    )
  })

  it('locks a file so that its owner cannot change it, and unlocks it', async () => {
    const odd = Buffer.from([0x2d, 0x66, 0xff, 0x0a])
    await own().write(odd, Buffer.from('kept'))
    assert.equal((await own().lock(odd, true)).is_locked, true)
    assert.throws(() => sh('rm -f -- ./-f*'))
    await assert.rejects(own().write(odd, Buffer.from('new')), is(NotPermitted))
    assert.equal((await own().lock(odd, false)).is_locked, false)
    await own().write(odd, Buffer.from('new'))
  })

  it('locks whole folders and no link, no home, nothing of others', async () => {
    sh('mkdir d; touch d/f t; ln -s ../t d/l')
    await own().lock('d', true, { recursive: true })
    assert.equal((await own().stat('d/f')).is_locked, true)
    assert.equal((await own().stat('t')).is_locked, false)
    await own().lock('d', false, { recursive: true })
    await assert.rejects(own().lock('d/l', true), is(NotAFile))
    await assert.rejects(own().lock('/', true), is(PathInvalid))
    writeFileSync(at('of-root'), '')
    await assert.rejects(own().lock('of-root', true), /of-root: .*(not permitted|Permission denied)/)
    sh(`ln -s ${bench.bob.home} bobs`)
    await assert.rejects(own().lock('bobs/d', true), is(NoSuchFile))
    assert.equal(existsSync(at('d/f')), true)
  })
})
