import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openStore, type Store } from '../../../store/store.ts'
import { openContents } from '../../../host/contents.ts'
import { openOwners } from '../../../host/owner/index.ts'
import { History } from './history.ts'
import type { HistoryLimits } from './limits.ts'
import { createFileVersions } from './migrations/202611220815-file-versions.ts'
import { versionQueries } from './store.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'
const uid = 61_041
const limits: HistoryLimits = { quotaBytes: 60_000, maxAgeDays: 30, maxFileBytes: 20_000, maxVersions: 6 }

describe('the history of a user', { skip }, () => {
  const root = mkdtempSync(join(tmpdir(), 'history-'))
  const home = join(root, 'carol')
  const owners = openOwners()
  const owner = owners.of({ name: 'carol', uid, gid: uid, home })
  const files = { username: 'carol', userId: 1, owner }
  const contents = openContents(join(root, 'versionQuota'))
  let store: Store
  let history: History
  const queries = () => versionQueries(store)
  before(async () => {
    chmodSync(root, 0o755)
    mkdirSync(home)
    chownSync(home, uid, uid)
    const tables = {
      name: '202600000000-users',
      statements: ['create table users (id integer primary key)', 'insert into users values (1), (2)'],
    }
    store = await openStore({ migrations: [tables, createFileVersions], now: new Date() })
    history = new History({
      store,
      queries: versionQueries(store),
      contents,
      limits,
      log: { info() {}, warn() {}, error() {} },
    })
  })
  after(async () => {
    await owners.close()
    await store.close()
    rmSync(root, { recursive: true, force: true })
  })
  const write = (path: string, content: Uint8Array) =>
    history.replacing({ files, path: { field: 'path', path }, by: null, through: 'write' }, () =>
      owner.write(path, content),
    )
  const kept = async () => (await queries().page({ page: 1, per_page: 100, sort: '-id' }, 1)).items
  const stored = async () => (await queries().wanted(1)).size

  it('deletes the oldest versions beyond the quota together with their contents', async () => {
    const texts = [1, 2, 3, 4, 5].map(() => randomBytes(18_000))
    for (const text of texts) await write('a', text)
    const rows = await kept()
    assert.deepEqual([rows.length, await stored()], [3, 3])
    assert.deepEqual(await history.contentOf(rows[0]!), texts[3])
    assert.equal(await contents.sweep(1, await queries().wanted(1)), 0)
  })

  it('limits the number of versions regardless of their size', async () => {
    for (let count = 0; count < 10; count++) await write('b', Buffer.from(`${count}`))
    assert.equal((await kept()).length, 6)
  })

  it('marks a file that is too large as not kept', async () => {
    await write('large', randomBytes(20_001))
    await write('large', Buffer.from('small'))
    const row = (await kept())[0]!
    assert.deepEqual(
      [row.sha256, row.not_kept, row.size_bytes, row.stored_bytes],
      [null, 'too_large', 20_001, 0],
    )
    await assert.rejects(history.contentOf(row), {
      name: 'Problem',
      message: /^id: the content of version \d+ of large was not kept: the file was too large$/,
    })
  })

  it('marks content as not kept if it is unreadable to its owner or the disk is full, and still writes the file', async () => {
    await owner.write('closed', Buffer.from('x'))
    await owner.chmod('closed', 0o200)
    await write('closed', Buffer.from('y'))
    assert.deepEqual(
      [(await kept())[0]!.not_kept, (await owner.stat('closed')).size_bytes],
      ['unreadable', 1],
    )
    const full = {
      ...contents,
      put: async () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
    }
    const crammed = new History({
      store,
      queries: queries(),
      contents: full,
      limits,
      log: { info() {}, warn() {}, error() {} },
    })
    await owner.write('c', Buffer.from('one'))
    await crammed.replacing({ files, path: { field: 'path', path: 'c' }, by: 2, through: 'upload' }, () =>
      owner.write('c', Buffer.from('two')),
    )
    const { not_kept, replaced_by, replaced_through } = (await kept())[0]!
    assert.deepEqual([not_kept, replaced_by, replaced_through], ['no_room', 2, 'upload'])
  })

  it('deletes versions that are too old, and sweeps unused contents', async () => {
    await write('old', Buffer.from('old content'))
    await write('old', Buffer.from('new content'))
    const orphan = await contents.put(1, Buffer.from('of a panel that was killed'))
    await contents.put(77, Buffer.from('of a user who is gone'))
    const [before, day] = [await kept(), 86_400_000]
    await history.versionQuota.tidy(new Date(Date.now() + 29 * day))
    assert.deepEqual((await kept()).length, before.length)
    assert.deepEqual([await contents.get(1, orphan.sha256, 99), await contents.owners()], [undefined, [1]])
    await history.versionQuota.tidy(new Date(Date.now() + 31 * day))
    assert.deepEqual([await kept(), await contents.owners()], [[], []])
  })

  it('deletes old versions by the day of their replacement, one at a time, and never during a write', async () => {
    const [now, day] = [Date.now(), 86_400_000]
    const age = async (days: readonly number[]) => {
      for (const [index, { id }] of (await kept()).entries())
        await store.db
          .updateTable('file_versions')
          .set({ replaced_at: new Date(now - days[index]! * day).toISOString() })
          .where('id', '=', id)
          .execute()
    }
    for (let count = 0; count < 5; count++) await write('aged', Buffer.from(`content ${count}`))
    await age([0, 40, 41, 42])
    await write('aged', Buffer.from('a further one'))
    assert.equal((await kept()).length, 5)
    await history.versionQuota.tidy(undefined)
    assert.equal((await kept()).length, 5)
    for (const left of [4, 3, 2, 2]) {
      await history.versionQuota.tidy(new Date(now))
      assert.equal((await kept()).length, left)
    }
    await history.clear(files, undefined)
  })

  it('deletes the oldest versions in order of creation, even if the clock was set back', async () => {
    for (let count = 0; count < 7; count++) await write('back', Buffer.from(`content ${count}`))
    const ahead = new Date(Date.now() + 86_400_000).toISOString()
    await store.db.updateTable('file_versions').set({ replaced_at: ahead }).execute()
    await write('back', Buffer.from('content 7'))
    assert.deepEqual(await history.contentOf((await kept())[0]!), Buffer.from('content 6'))
    await history.clear(files, undefined)
  })

  it('keeps every version while many files are written concurrently', async () => {
    const names = ['p', 'q', 'r'].map((name) => `many-${name}`)
    for (const name of names) await owner.write(name, Buffer.from('the same before'))
    await Promise.all(names.map((name) => write(name, Buffer.from(`after ${name}`))))
    const rows = await kept()
    assert.deepEqual([rows.length, await stored()], [3, 1])
    await Promise.all([
      history.clear(files, { field: 'path', path: 'many-p' }),
      history.clear(files, { field: 'path', path: 'many-q' }),
    ])
    assert.deepEqual(await history.contentOf((await kept())[0]!), Buffer.from('the same before'))
    assert.deepEqual(await history.clear(files, undefined), {
      versions: 1,
      freedBytes: rows[0]!.stored_bytes,
    })
  })

  it('loses no version of interrupted work, and has none of failed work', async () => {
    await owner.write('w', Buffer.from('before'))
    let go = () => {}
    const killed = history.replacing(
      { files, path: { field: 'path', path: 'w' }, by: null, through: 'write' },
      () => new Promise<void>((resolve) => (go = resolve)),
    )
    for (let tries = 0; tries < 10_000 && (await kept()).length === 0; tries++)
      await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(await history.contentOf((await kept())[0]!), Buffer.from('before'))
    go()
    await killed
    await assert.rejects(
      history.replacing({ files, path: { field: 'path', path: 'w' }, by: null, through: 'write' }, () =>
        Promise.reject(new Error('cut')),
      ),
      { message: 'cut' },
    )
    assert.deepEqual([(await kept()).length, await stored()], [1, 1])
  })
})
