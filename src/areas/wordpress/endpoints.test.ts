import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'

describe('WordPress', () => {
  let panel: TestPanel
  let ada: Person
  let id: number
  before(async () => {
    panel = await openTestPanel({ hasNginx: true, accounts: new Map([['ada', { uid: 1001 }]]) })
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    id = await addWebsite(panel, { domain: 'page.example.com', userId: ada.id, username: 'ada' })
  })
  after(() => panel.close())

  const endpoints = (at: number) =>
    [
      ['GET', `/api/wordpress/${at}`, undefined],
      ['POST', `/api/wordpress/${at}/check`, undefined],
      ['POST', `/api/wordpress/${at}/state`, { kind: 'plugin', name: 'a/a.php', active: true }],
      ['POST', `/api/wordpress/${at}/updates`, { items: [{ kind: 'plugin', name: 'a/a.php' }] }],
      ['POST', `/api/wordpress/${at}/core/update`, {}],
      ['POST', `/api/wordpress/${at}/deletions`, { items: [{ kind: 'theme', name: 'a' }] }],
      ['PATCH', `/api/wordpress/${at}/hardening`, { no_xmlrpc: true }],
      ['POST', `/api/wordpress/${at}/sign-in`, {}],
    ] as const

  test('is not found in a website without it, and in none of others', async () => {
    const bob = await panel.person({ permissions: ['websites_management'] })
    for (const [as, at] of [
      [ada, id],
      [panel.admin, id],
      [bob, id],
      [ada, 9999],
    ] as const)
      for (const [method, path, body] of endpoints(at)) {
        const answer = await panel.request(method, path, { as, ...(body && { body }) })
        assert.deepEqual([answer.status, answer.error?.code], [404, 'not_found'], `${method} ${path}`)
      }
  })

  test('is for those who may have websites', async () => {
    const stranger = await panel.person()
    for (const [method, path, body] of [...endpoints(id), ['GET', '/api/wordpress', undefined] as const]) {
      const answer = await panel.request(method, path, { as: stranger, ...(body && { body }) })
      assert.deepEqual([answer.status, answer.error.code], [403, 'forbidden'], `${method} ${path}`)
    }
  })

  test('is listed where it is', async () => {
    const { status, data } = await panel.request('GET', '/api/wordpress', { as: ada })
    assert.deepEqual([status, data.total, data.items], [200, 0, []])
  })

  test('is asked for what it can be', async () => {
    const items = (item: object) => ({ items: [{ kind: 'plugin', name: 'a/a.php', ...item }] })
    for (const [path, body, message] of [
      ['updates', { items: [] }, /^items: /],
      ['updates', items({ kind: 'widget' }), /^items\.0\.kind: .*plugin, theme/],
      ['updates', items({ name: '../../etc/passwd' }), /^items\.0\.name: /],
      ['updates', items({ name: '/etc/passwd' }), /^items\.0\.name: /],
      ['updates', items({ path: '/etc/passwd' }), /^items\.0\.path: /],
      ['updates', items({ url: 'http://example.com/a.zip' }), /^items\.0\.url: .*https/],
      ['updates', items({ url: 'file:///etc/passwd' }), /^items\.0\.url: /],
      ['updates', items({ sha256: 'ABC' }), /^items\.0\.sha256: /],
      ['updates', items({ kind: 'core' }), /^items\.0\.kind: .*plugin, theme/],
      ['core/update', { path: '/etc/passwd' }, /^path: .*relative to the home/],
      ['core/update', { url: 'http://example.com/a.zip' }, /^url: .*https/],
      ['core/update', { sha256: 'ABC' }, /^sha256: /],
      ['core/update', { check_site: 'yes' }, /^check_site: /],
      ['deletions', { items: [{ kind: 'plugin', name: 'a/../b' }] }, /^items\.0\.name: /],
      ['state', { kind: 'plugin', name: 'a/a.php', active: 'yes' }, /^active: /],
      ['sign-in', { user: '' }, /^user: /],
    ] as const) {
      const answer = await panel.request('POST', `/api/wordpress/${id}/${path}`, { as: ada, body })
      assert.deepEqual([answer.status, answer.error?.code], [400, 'bad_request'], JSON.stringify(body))
      assert.match(answer.error.message, message)
    }
  })
})
