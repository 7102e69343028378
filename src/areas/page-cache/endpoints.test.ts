import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { defaults } from './defaults.ts'

describe('the page cache of a website', () => {
  let panel: TestPanel
  let ada: Person
  let [php, fixed] = [0, 0]
  before(async () => {
    panel = await openTestPanel({ hasNginx: true, accounts: new Map([['ada', { uid: 1001 }]]) })
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    php = await addWebsite(panel, { domain: 'php.example.com', userId: ada.id, type: 'php' })
    fixed = await addWebsite(panel, { domain: 'static.example.com', userId: ada.id })
  })
  after(() => panel.close())

  const ask = (method: string, path: string, body?: unknown, as = ada) =>
    panel.request(method, `/api/websites/${path}`, { as, ...(body !== undefined && { body }) })

  test('is off at first, with what WordPress needs', async () => {
    const { status, data } = await ask('GET', `${php}/page-cache`)
    assert.equal(status, 200)
    assert.deepEqual(data, { ...defaults, purges_on_change: false, pages: 0, size_bytes: 0 })
  })

  test('is refused with the field that is wrong', async () => {
    for (const [body, message] of [
      [{ is_enabled: 'yes' }, /^is_enabled: /],
      [{ lifetime_seconds: 0 }, /^lifetime_seconds: must be a whole number from 1 to 86400/],
      [{ max_size_mb: 257 }, /^max_size_mb: /],
      [{ uncached_paths: ['wp-admin'] }, /^uncached_paths\.0: must be the beginning of a path/],
      [{ uncached_paths: ['/a"; evil'] }, /^uncached_paths\.0: /],
      [{ uncached_paths: ['/$host'] }, /^uncached_paths\.0: /],
      [{ uncached_cookies: ['a b'] }, /^uncached_cookies\.0: must be the beginning of a name/],
      [{ uncached_cookies: ['a', 'a'] }, /^uncached_cookies: /],
    ] as const) {
      const answer = await ask('PATCH', `${php}/page-cache`, body)
      assert.deepEqual([answer.status, answer.error?.code], [400, 'bad_request'], answer.text)
      assert.match(answer.error.message, message)
    }
    const answer = await ask('PATCH', `${fixed}/page-cache`, { is_enabled: true })
    assert.deepEqual([answer.status, answer.error?.code], [400, 'bad_request'], answer.text)
    assert.match(answer.error.message, /^is_enabled: belongs to websites of type php; this one is static/)
  })

  test('is emptied only while it is on, by a path alone', async () => {
    for (const [body, message] of [
      [{}, /^path: php\.example\.com keeps no pages: turn its page cache on first/],
      [{ path: 'about' }, /^path: must be a path such as \/about\//],
      [{ path: '/?a=b' }, /^path: /],
      [{ path: '' }, /^path: /],
    ] as const) {
      const answer = await ask('POST', `${php}/page-cache/purge`, body)
      assert.deepEqual([answer.status, answer.error?.code], [400, 'bad_request'], answer.text)
      assert.match(answer.error.message, message)
    }
  })

  test('is for the owner of the website', async () => {
    const bob = await panel.person({ permissions: ['websites_management'] })
    const stranger = await panel.person()
    for (const [method, path, body] of [
      ['GET', 'page-cache', undefined],
      ['PATCH', 'page-cache', { is_enabled: true }],
      ['POST', 'page-cache/purge', {}],
    ] as const) {
      assert.equal((await ask(method, `${php}/${path}`, body, bob)).status, 404)
      assert.equal((await ask(method, `${php}/${path}`, body, stranger)).status, 403)
    }
  })
})
