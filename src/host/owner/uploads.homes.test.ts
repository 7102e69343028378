import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { asOwner, killConfined, makeBench, skip, type Bench } from './testing/homes.ts'
import {
  AlreadyThere,
  DiskFull,
  FileChanged,
  NoSuchFile,
  NotAFile,
  PathInvalid,
  TooLarge,
} from './problems.ts'
import { until } from '../../../test/support/until.ts'

const is = (kind: unknown) => (error: unknown) => error instanceof Problem && error.kind === kind
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const hidden = '.hostreeve-tmp-uploads'

describe('uploads in parts', { skip }, () => {
  let bench: Bench
  before(() => {
    bench = makeBench()
  })
  after(() => bench.remove())
  const home = (...parts: string[]) => join(bench.alice.home, ...parts)
  const upload = (name: string, path = `${name}.bin`) => bench.owners.of(bench.alice).uploads.of(name, path)
  const part = (offset: number, text: string) => ({ offset, maxBytes: 1000, sha256: sha256(text) })

  it('collect parts in a hidden folder, and appear only when complete', async () => {
    const one = upload('one')
    await one.open(10)
    assert.deepEqual(await one.append(Buffer.from('hello'), { offset: 0, maxBytes: 10 }), {
      outcome: 'appended',
      size: 5,
    })
    assert.equal(existsSync(home('one.bin')), false)
    const { items } = await bench.owners.of(bench.alice).list('', { showHidden: true })
    assert.deepEqual(items, [])
    await one.append(Readable.from([Buffer.from('wor'), Buffer.from('ld')]), { offset: 5, maxBytes: 5 })
    const sealed = await one.seal(10, { sha256: sha256('helloworld') })
    assert.equal(sealed.outcome, 'sealed')
    const placed = await one.place()
    assert.deepEqual([placed.size, placed.created], [10, true])
    const found = statSync(home('one.bin'))
    assert.deepEqual(
      [found.uid, found.mode & 0o7777, readFileSync(home('one.bin'), 'utf8')],
      [bench.alice.uid, 0o644, 'helloworld'],
    )
    assert.equal(existsSync(home(hidden)), false)
  })

  it('keep the mode of the file that they replace, and follow a link to its target', async () => {
    writeFileSync(home('kept'), 'old')
    chmodSync(home('kept'), 0o600)
    symlinkSync('kept', home('link'))
    const one = upload('kept', 'link')
    await one.append(Buffer.from('new'), { offset: 0, maxBytes: 3 })
    await one.place()
    assert.deepEqual(
      [readFileSync(home('kept'), 'utf8'), statSync(home('kept')).mode & 0o7777],
      ['new', 0o600],
    )
  })

  it('report the actual size when a part starts at another offset', async () => {
    const one = upload('elsewhere')
    await one.append(Buffer.from('abc'), { offset: 0, maxBytes: 9 })
    assert.deepEqual(await one.append(Buffer.from('xyz'), { offset: 5, maxBytes: 4 }), {
      outcome: 'offset',
      size: 3,
    })
    assert.deepEqual(await upload('nothing').append(Buffer.from('x'), { offset: 5, maxBytes: 4 }), {
      outcome: 'offset',
      size: 0,
    })
    assert.equal(await one.size(), 3)
  })

  it('drop the whole part with a wrong checksum, and keep earlier parts', async () => {
    const one = upload('checked')
    await one.append(Buffer.from('abc'), part(0, 'abc'))
    assert.deepEqual(await one.append(Buffer.from('deX'), part(3, 'def')), { outcome: 'checksum', size: 3 })
    await one.append(Buffer.from('def'), part(3, 'def'))
    assert.equal((await one.seal(6, { sha256: sha256('abcdef') })).outcome, 'sealed')
  })

  it('are dropped when the checksum of the whole is wrong', async () => {
    const one = upload('spoiled')
    await one.append(Buffer.from('abc'), { offset: 0, maxBytes: 3 })
    assert.deepEqual(await one.seal(2), { outcome: 'offset', size: 3, etag: '0' })
    assert.equal((await one.seal(3, { sha256: sha256('abd') })).outcome, 'checksum')
    assert.equal(await one.size(), 0)
  })

  it('keep the received bytes of a truncated part, unless it has a checksum', async () => {
    const one = upload('cut-off')
    const broken = (text: string) =>
      Readable.from(
        (async function* () {
          yield Buffer.from(text)
          await until(
            () => existsSync(home(hidden, 'cut-off')) && statSync(home(hidden, 'cut-off')).size === 6,
          )
          throw new Error('the line broke')
        })(),
      )
    await one.append(Buffer.from('abc'), { offset: 0, maxBytes: 99 })
    await assert.rejects(one.append(broken('def'), part(3, 'defghi')), /the line broke/)
    assert.equal(await one.size(), 3)
    await assert.rejects(one.append(broken('def'), { offset: 3, maxBytes: 99 }), /the line broke/)
    assert.equal(await one.size(), 6)
  })

  it('refuse more bytes than declared, and keep none of that part', async () => {
    const one = upload('too-much')
    await one.append(Buffer.from('abc'), { offset: 0, maxBytes: 5 })
    await assert.rejects(one.append(Buffer.from('defghi'), { offset: 3, maxBytes: 2 }), is(TooLarge))
    assert.equal(await one.size(), 3)
  })

  it('survive the helper that wrote them, and do not count as leftovers for the next', async () => {
    const one = upload('outlives')
    await one.append(Buffer.alloc(300_000, 7), { offset: 0, maxBytes: 600_000 })
    killConfined(bench.alice.uid)
    await until(() => bench.owners.counts().alive === 0)
    await bench.owners.of(bench.alice).list('')
    assert.equal(await one.size(), 300_000)
    await one.append(Buffer.alloc(300_000, 8), { offset: 300_000, maxBytes: 300_000 })
    await one.place()
    assert.equal(statSync(home('outlives.bin')).size, 600_000)
  })

  it('do not replace a file created in the meantime if the caller forbids it', async () => {
    const own = bench.owners.of(bench.alice)
    const { etag } = await own.write('minded', Buffer.from('first'))
    const one = upload('minded', 'minded')
    await one.append(Buffer.from('second'), { offset: 0, maxBytes: 6 })
    await assert.rejects(one.place({ ifAbsent: true }), is(AlreadyThere))
    await own.write('minded', Buffer.from('other'))
    await assert.rejects(one.place({ ifMatch: etag }), is(FileChanged))
    assert.equal(await one.size(), 6)
    await one.place({ ifMatch: (await own.stat('minded')).etag })
    assert.equal(readFileSync(home('minded'), 'utf8'), 'second')
  })

  it('report that their folder is missing', async () => {
    const one = upload('homeless', 'gone/homeless')
    await one.append(Buffer.from('x'), { offset: 0, maxBytes: 1 })
    await assert.rejects(one.place(), is(NoSuchFile))
    asOwner(bench.alice, 'mkdir', 'gone')
    await one.place({ ifAbsent: true })
    assert.equal(readFileSync(home('gone/homeless'), 'utf8'), 'x')
  })

  it('are cut back and removed', async () => {
    const one = upload('cut')
    await one.append(Buffer.from('abcdef'), { offset: 0, maxBytes: 6 })
    await one.cut(4)
    await one.cut(5)
    assert.equal(await one.size(), 4)
    await one.cut()
    assert.equal(await one.size(), 0)
    assert.equal(existsSync(home(hidden, 'cut')), false)
  })

  it('are refused where the disk has no room for them', async () => {
    await assert.rejects(
      upload('huge').open(2 ** 52),
      (error: Error) => is(DiskFull)(error) && error.message.includes('has room for'),
    )
    assert.equal(await upload('huge').size(), 0)
  })

  it('follow no link and wait for no pipe that the owner put in their place', async () => {
    mkdirSync(home(hidden), { recursive: true })
    writeFileSync(home('target'), 'untouched')
    symlinkSync('../target', home(hidden, 'link'))
    await assert.rejects(upload('link').append(Buffer.from('x'), { offset: 0, maxBytes: 1 }), is(PathInvalid))
    asOwner(bench.alice, 'mkfifo', `${hidden}/pipe`)
    await assert.rejects(upload('pipe').append(Buffer.from('x'), { offset: 0, maxBytes: 1 }), is(NotAFile))
    for (const name of ['link', 'pipe']) await upload(name).cut()
    assert.equal(readFileSync(home('target'), 'utf8'), 'untouched')
  })

  it('that nobody added to for a week are marked, and removed when the mark is a day old', async () => {
    await upload('forgotten').append(Buffer.from('x'), { offset: 0, maxBytes: 1 })
    await upload('fresh').append(Buffer.from('x'), { offset: 0, maxBytes: 1 })
    const age = (name: string, days: number) => {
      const at = Date.now() / 1000 - days * 86_400
      utimesSync(home(hidden, name), at, at)
    }
    const nextHelper = async () => {
      killConfined(bench.alice.uid)
      await until(() => bench.owners.counts().alive === 0)
      await bench.owners.of(bench.alice).list('')
    }
    age('forgotten', 8)
    await nextHelper()
    await until(() => existsSync(home(hidden, 'forgotten.old')))
    assert.equal(await upload('forgotten').size(), 1)
    age('forgotten.old', 1.1)
    writeFileSync(home(hidden, 'fresh.old'), 'of a clock that was ahead')
    await nextHelper()
    await until(() => !existsSync(home(hidden, 'forgotten')) && !existsSync(home(hidden, 'fresh.old')))
    assert.equal(await upload('fresh').size(), 1)
    await nextHelper()
    await until(() => !existsSync(home(hidden, 'forgotten.old')))
  })
})
