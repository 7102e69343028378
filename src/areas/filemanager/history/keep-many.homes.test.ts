import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { makeBench, skip, type Bench } from '../../../host/owner/testing/homes.ts'
import { openContents } from '../../../host/contents.ts'
import { openStore, type Store } from '../../../store/store.ts'
import { History } from './history.ts'
import { defaultLimits } from './limits.ts'
import { type KeepMany, replacingMany } from './keep-many.ts'
import { versionQueries } from './store.ts'
import { migrations } from './testing/tables.ts'

describe('the history of many files replaced together', { skip }, () => {
  let [bench, store, history]: [Bench, Store, History] = [
    undefined as never,
    undefined as never,
    undefined as never,
  ]
  before(async () => {
    bench = makeBench()
    store = await openStore({ migrations, now: new Date() })
    const log = { info() {}, warn() {}, error() {} }
    history = new History({
      store,
      queries: versionQueries(store),
      contents: openContents(undefined),
      limits: defaultLimits,
      log,
    })
  })
  after(async () => {
    await store.close()
    await bench.remove()
  })
  beforeEach(async () => {
    await history.clear(files(), undefined)
    for (const name of ['a', 'b', 'c']) await owner().write(name, Buffer.from(`old ${name}`))
  })
  const owner = () => bench.owners.of(bench.alice)
  const files = () => ({ username: 'alice', userId: 1, owner: owner() })
  const texts = (...paths: string[]) => paths.map((path) => ({ field: 'path', path }))
  const many = <Result>(work: (keep: KeepMany) => Promise<Result>, maxBytes = 1000) =>
    replacingMany(history, { files: files(), by: null, through: 'extract' }, maxBytes, work)
  const write = (path: string, content: string) =>
    history.replacing({ files: files(), path: { field: 'path', path }, by: null, through: 'write' }, () =>
      owner().write(path, Buffer.from(content)),
    )
  const kept = async () => {
    const { items } = await versionQueries(store).page({ page: 1, per_page: 100, sort: 'id' }, 1)
    return Promise.all(items.map(async (row) => (await history.contentOf(row)).toString()))
  }

  it('keeps a file once if several spellings of its path are given', async () => {
    const reply = await many(async (keep) => {
      const counted = await keep(texts('a', './a', 'a/', '/a'))
      await owner().write('a', Buffer.from('new'))
      return counted
    })
    assert.deepEqual([reply, await kept()], [{ notKept: 0 }, ['old a']])
  })

  it('keeps no more bytes than the quota, and counts the remaining files', async () => {
    const reply = await many((keep) => keep(texts('c', 'b', 'a')), 6)
    assert.deepEqual([reply, await kept()], [{ notKept: 1 }, ['old a', 'old b']])
  })

  it('blocks other requests on these files until the work ends, and on no other files', async () => {
    const seen: string[] = []
    let waiting: Promise<unknown> = Promise.resolve()
    await many(async (keep) => {
      await keep(texts('a', 'b'))
      waiting = write('b', 'after').then(() => seen.push('b'))
      await write('c', 'meanwhile')
      seen.push('c')
      for (const path of ['a', 'b']) await owner().write(path, Buffer.from(`new ${path}`))
      seen.push('work')
    })
    await waiting
    assert.deepEqual(
      [seen, (await kept()).toSorted()],
      [
        ['c', 'work', 'b'],
        ['new b', 'old a', 'old b', 'old c'],
      ],
    )
  })

  for (const [title, end] of [
    ['says that it is done', async () => 'done'],
    ['fails', async () => Promise.reject(new Error('it failed'))],
  ] as const)
    it(`releases all files if the work ${title} before they were kept`, async () => {
      const outcome = await many((keep) => {
        keep(texts('a', 'b', 'c')).catch(() => {})
        return end()
      }).catch((error: Error) => error.message)
      assert.equal(outcome, title === 'fails' ? 'it failed' : 'done')
      const all = Promise.all(['a', 'b', 'c'].map((path) => write(path, 'newer')))
      assert.notEqual(await Promise.race([all, pause(60_000, 'it waits', { ref: false })]), 'it waits')
    })

  it('releases a file if the work claimed to be done while it waited for the lock', async () => {
    const path = { field: 'path', path: 'a' }
    const first = Promise.withResolvers<void>()
    const replacing = { files: files(), path, by: null, through: 'write' as const }
    const slow = history.replacingLate(replacing, async (keep) => {
      await keep()
      await first.promise
    })
    await history.replacingLate(replacing, async (keep) => void keep().catch(() => {}))
    first.resolve()
    await slow
    assert.notEqual(
      await Promise.race([write('a', 'newer'), pause(60_000, 'it waits', { ref: false })]),
      'it waits',
    )
  })

  it('deletes the versions of files that the work did not change', async () => {
    const work = many(async (keep) => {
      await keep(texts('a', 'b'))
      await owner().write('b', Buffer.from('new b'))
      throw new Error('it stopped')
    })
    await assert.rejects(work, /it stopped/)
    assert.deepEqual(await kept(), ['old b'])
  })
})
