import assert from 'node:assert/strict'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { aliceUid, type FilesBench, openFilesBench } from '../testing/files-bench.ts'
import { until } from '../../../../test/support/until.ts'
import { findUserByUsername } from '../../users/index.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'

describe('the history of another user', { skip }, () => {
  let bench: FilesBench
  let id: string
  const dataDir = mkdtempSync(join(tmpdir(), 'history-'))
  before(async () => {
    bench = await openFilesBench({ dataDir })
    for (const content of ['one', 'two']) await bench.post('write', { path: 'a', content })
    id = String((await bench.get('history', { path: 'a' })).data.items[0].id)
  })
  after(async () => {
    await bench.remove()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('is inaccessible by name, by website, and by the id of a version combined with an accessible home', async () => {
    const mallory = await bench.panel.person({ username: 'bob2', permissions: ['websites_management'] })
    const as = (method: string, path: string, body?: object) =>
      bench.panel.request(method, `/api/filemanager/history${path}`, { as: mallory, ...(body && { body }) })
    for (const path of ['?path=a', '/all?', `/content?id=${id}`, `/download?id=${id}`, `/diff?from=${id}`]) {
      const { status, error } = await as('GET', `${path}&username=alice`)
      assert.deepEqual([status, error.code], [403, 'forbidden'], path)
      assert.equal((await as('GET', `${path}&website_id=1`)).status, 404, path)
    }
    assert.equal((await as('POST', '/restore', { username: 'alice', id: Number(id) })).status, 403)
    assert.equal((await as('POST', '/clear', { username: 'alice', all: true })).status, 403)
    const admin = (path: string, body?: object) =>
      bench.panel.request(body ? 'POST' : 'GET', `/api/filemanager/history${path}`, {
        as: bench.panel.admin,
        ...(body && { body }),
      })
    for (const path of [
      `/content?username=bob&id=${id}`,
      `/download?username=bob&id=${id}`,
      `/diff?username=bob&from=${id}`,
    ])
      assert.equal((await admin(path)).error.code, 'not_found', path)
    assert.equal((await admin('/restore', { username: 'bob', id: Number(id) })).status, 404)
    assert.equal((await admin('/all?username=bob')).data.total, 0)
    assert.equal((await admin(`/content?username=alice&id=${id}`)).data.content, 'one')
  })

  it('requires the permission for the file manager', async () => {
    const nobody = await bench.panel.person({ username: 'carl' })
    for (const [method, path] of [
      ['GET', '?path=a'],
      ['GET', '/all'],
      ['GET', '/content?id=1'],
      ['GET', '/download?id=1'],
      ['GET', '/diff?from=1'],
      ['POST', '/restore'],
      ['POST', '/clear'],
    ] as const) {
      assert.equal(
        (await bench.panel.request(method, `/api/filemanager/history${path}`, { as: nobody })).status,
        403,
        path,
      )
      assert.equal((await bench.panel.request(method, `/api/filemanager/history${path}`)).status, 401, path)
    }
  })

  it('is deleted with a website whose files are deleted, and kept if the files remain', async () => {
    const sites = (...parts: string[]) => bench.at('sites', ...parts)
    for (const path of [sites(), sites('gone.example'), sites('kept.example'), sites('münchen')]) {
      mkdirSync(path)
      chownSync(path, aliceUid, aliceUid)
    }
    for (const domain of ['gone.example', 'kept.example', 'münchen'])
      for (const content of ['one', 'two']) await bench.post('write', { path: `sites/${domain}/f`, content })
    const total = async (search: string) => (await bench.get('history/all', { search })).data.total
    rmSync(sites('gone.example'), { recursive: true })
    const { store } = bench.panel
    await store.transaction((tx) =>
      store.write(tx, [{ write: 'delete', table: 'websites', where: { id: 1 } }]),
    )
    await until(async () => (await total('gone.example')) === 0)
    assert.deepEqual([await total('kept.example'), await total('münchen')], [1, 1])
  })

  it('is deleted with the user, including its contents on disk', async () => {
    const { store, users, admin } = bench.panel
    const bob = await findUserByUsername(users, 'bob')
    for (const content of ['one', 'two'])
      await bench.panel.request('POST', '/api/filemanager/write', {
        as: admin,
        body: { username: 'bob', path: 'x', content },
      })
    const shelf = join(dataDir, 'history', String(bob?.id))
    assert.equal(existsSync(shelf), true)
    const rows = ['sessions', 'api_keys', 'user_permissions'].map(
      (table) => ({ write: 'delete', table, where: { user_id: bob!.id } }) as const,
    )
    await store.transaction((tx) =>
      store.write(tx, [...rows, { write: 'delete', table: 'users', where: { id: bob!.id } }]),
    )
    await until(async () => !existsSync(shelf))
    assert.deepEqual(readdirSync(join(dataDir, 'history')), [
      String((await findUserByUsername(users, 'alice'))?.id),
    ])
  })
})
