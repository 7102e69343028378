import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { openAgent, type TestAgent } from './testing/agent.ts'

describe('the tools of agents', () => {
  let panel: TestPanel
  let admin: Person
  let agent: TestAgent
  before(async () => {
    panel = await openTestPanel()
    admin = panel.admin
    agent = await openAgent(panel, admin.id)
  })
  after(() => panel.close())

  const api = (method: string, path: unknown, more: object = {}) =>
    agent.call('api_call', { method, path, ...more })

  test('are 15 by name, then api_call and list_endpoints', async () => {
    const { json } = await agent.send({ id: 1, method: 'tools/list' })
    const names = json.result.tools.map(({ name }: { name: string }) => name)
    assert.deepEqual(names.slice(15), ['api_call', 'list_endpoints'])
    assert.deepEqual(names.slice(0, 15), names.slice(0, 15).toSorted())
    assert.equal(new Set(names).size, 17)
  })

  test('return the status and the body of the endpoint', async () => {
    const { text, isError } = await agent.call('list_plugins')
    const { json } = await panel.request('GET', '/api/plugins', { as: admin })
    assert.deepEqual([text, isError], [`HTTP 200\n${JSON.stringify(json, null, 2)}`, false])
    const users = await agent.call('list_users', {})
    assert.match(users.text, /^HTTP 200\n\{\n {2}"data": \{\n {4}"items"/)
  })

  test('pass on the failures of the endpoint', async () => {
    const missing = await agent.call('get_website', { id: 99 })
    assert.deepEqual([missing.status, missing.isError], [404, true])
    assert.match(missing.text, /"code": "not_found"/)
    const unavailable = await agent.call('get_dns_zone', { zone: 'example.com' })
    assert.deepEqual([unavailable.status, unavailable.isError], [503, true])
  })

  test('name missing and wrong arguments', async () => {
    const wrong: readonly (readonly [string, unknown, RegExp])[] = [
      ['get_website', {}, /"id: is required/],
      ['get_website', undefined, /"id: is required/],
      ['get_website', { id: 'x' }, /"id: must be/],
      ['get_website', { id: -1 }, /"id: must be/],
      ['get_website', [], /"arguments: must be/],
      ['get_website', 'x', /"arguments: must be/],
      ['get_dns_zone', { zone: '..' }, /"zone: must be/],
      ['service_action', { name: 'nginx.service', action: 'destroy' }, /"action: must be/],
      ['api_call', { method: 'GET' }, /"path: is required/],
      ['api_call', { method: 'BREW', path: '/plugins' }, /"method: must be one of GET/],
      ['api_call', { method: 'POST', path: '/plugins', body: [] }, /"body: must be/],
      ['api_call', { method: 5, path: '/plugins' }, /"method: must be one of GET/],
      ['list_endpoints', { query: 5 }, /"query: must be text of at most 200 characters/],
    ]
    for (const [tool, args, message] of wrong) {
      const { status, isError, text } = await agent.call(tool, args)
      assert.deepEqual([status, isError], [400, true], `${tool} ${JSON.stringify(args)}`)
      assert.match(text, message)
    }
  })

  test('change what the endpoint changes, in the name of the owner and with their key', async () => {
    const { status } = await api('POST', '/plugins/uptime/disable')
    assert.equal(status, 200)
    const { data } = await panel.request('GET', '/api/activity', { as: admin })
    const [called, changed] = data.items
    assert.deepEqual(
      [called.action, called.path, called.message],
      ['mcp_tool_called', '/api/plugins/uptime/disable', 'api_call: HTTP 200'],
    )
    assert.equal(changed.action, 'plugins_disable_plugin')
    for (const entry of [called, changed])
      assert.deepEqual([entry.user_id, entry.key_id, entry.mcp_key_id], [admin.id, null, agent.keyId])
    assert.equal((await panel.request('GET', '/api/activity/verify', { as: admin })).data.ok, true)
    const plan = await api('post', 'api/../plugins/uptime/enable?', { plan: true })
    assert.match(plan.text, /"summary": "Enable plugin uptime"/)
    assert.match((await agent.call('list_plugins')).text, /"name": "uptime",[^}]*"enabled": false/)
    assert.equal((await api('POST', '/api/plugins/uptime/enable')).status, 200)
  })

  test('record reads and denials too', async () => {
    const reader = await openAgent(panel, admin.id, { read_only: true })
    await reader.call('server_info')
    await reader.call('api_call', { method: 'DELETE', path: '/users/1' })
    await reader.call('list_endpoints', {})
    const { data } = await panel.request('GET', '/api/activity', { as: admin })
    const entries = data.items.slice(0, 3).toReversed()
    assert.deepEqual(
      entries.map((entry: any) => [entry.method, entry.path, entry.status, entry.mcp_key_id]),
      [
        ['GET', '/api/system/info', 'ok', reader.keyId],
        ['DELETE', '/api/users/1', 'failed', reader.keyId],
        ['POST', '/api/mcp', 'ok', reader.keyId],
      ],
    )
    const own = await panel.request('GET', `/api/activity?mcp_key_id=${reader.keyId}`, { as: admin })
    assert.deepEqual(
      own.data.items.map(({ id }: any) => id),
      data.items.slice(0, 3).map(({ id }: any) => id),
    )
  })

  test('read an address in one spelling, with its query', async () => {
    for (const path of [
      '/plugins',
      'plugins',
      '/api/plugins',
      '//plugins/',
      '/x/../plugins',
      '/%70lugins',
      './plugins',
    ])
      assert.equal((await api('GET', path)).status, 200, path)
    const page = await api('GET', '/users?per_page=1&page=1#part')
    assert.match(page.text, /"per_page": 1/)
    for (const path of [
      '/../../etc/passwd',
      '/..',
      '/pl ugins',
      '/plugins\n',
      '\\plugins',
      '/%zz',
      '/%00',
      5,
    ])
      assert.deepEqual(
        [(await api('GET', path)).isError, (await api('GET', path)).status < 500],
        [true, true],
      )
    for (const path of [
      'http://elsewhere.example.com/api/plugins',
      '//elsewhere.example.com/x',
      '@elsewhere/plugins',
    ])
      assert.equal((await api('GET', path)).status, 404, path)
  })

  test('never reach the ways to a credential, however they are spelled', async () => {
    const closed = [
      ['POST', '/mcp'],
      ['GET', '/auth/me'],
      ['GET', '/api/auth/sessions'],
      ['GET', '/%61uth/me'],
      ['GET', '/x/../auth/me'],
      ['GET', '/users/%2e%2e/auth/me'],
      ['GET', '//auth//me/'],
      ['POST', '/auth/socket-token'],
      ['POST', '/mcp-keys'],
      ['DELETE', `/mcp-keys/${agent.keyId}`],
      ['POST', '/mcp-keys/tls/regenerate'],
      ['POST', `/users/${admin.id}/api-keys`],
      ['DELETE', `/users/${admin.id}/api%2Dkeys/1`],
      ['GET', `/users/${admin.id}/terminal`],
      ['GET', '/telemetry/ping'],
    ]
    for (const [method = '', path = ''] of closed) {
      const { status, isError, text } = await api(method, path, { plan: true })
      assert.deepEqual([status, isError], [403, true], `${method} ${path}`)
      assert.match(text, /Agents cannot call this endpoint/)
    }
    assert.equal((await api('GET', '/mcp-keys')).status, 200)
    assert.equal((await api('GET', '/AUTH/me')).status, 404)
  })

  test('are limited by a read-only key, then by its scopes, then by the owner', async () => {
    const owner = await panel.person({ permissions: ['websites_management', 'plugins_management'] })
    const key = await openAgent(panel, owner.id, {
      scopes: ['websites_management', 'administrative_operations'],
    })
    const denied = async (args: object, message: RegExp) => {
      const { status, text } = await key.call('api_call', args)
      assert.equal(status, 403)
      assert.match(text, message)
    }
    assert.equal((await key.call('list_websites')).status, 200)
    await denied({ method: 'GET', path: '/plugins' }, /limited to .*: this needs plugins_management/)
    await denied({ method: 'GET', path: '/services' }, /You need the permission/)
    const reader = await openAgent(panel, owner.id, { read_only: true, scopes: ['websites_management'] })
    const { text } = await reader.call('api_call', { method: 'POST', path: '/plugins/uptime/disable' })
    assert.match(
      text,
      /^HTTP 403\n\{\n {2}"error": \{\n {4}"code": "forbidden",\n {4}"message": "This key is read-only/,
    )
    const unknown = await reader.call('api_call', { method: 'GET', path: '/nosuch' })
    assert.match(unknown.text, /this needs administrative_operations/)
  })

  test('list the endpoints that the key may call, with their effects', async () => {
    const { text, meta } = await agent.call('list_endpoints', { query: 'PLUGINS' })
    assert.deepEqual(text.split('\n'), [
      'GET /api/plugins',
      'POST /api/plugins/{name}/disable',
      'POST /api/plugins/{name}/enable',
    ])
    assert.equal(meta.effects['POST /api/plugins/{name}/disable'], 'changes')
    const owner = await panel.person({ permissions: ['plugins_management'] })
    const key = await openAgent(panel, owner.id, { scopes: ['plugins_management'], read_only: true })
    assert.equal((await key.call('list_endpoints', { query: 'PLUGINS' })).text, 'GET /api/plugins')
    assert.match((await key.call('list_endpoints')).text, /^(?:GET \S+\n)*GET \S+$/)
    assert.ok(!(await agent.call('list_endpoints')).text.includes('/api/auth/'))
  })

  test('show no secret, not even one that they generate', async () => {
    const made = await api('POST', '/users', {
      body: { email: 'new@example.com', password: 'correct horse battery', fullname: 'New' },
    })
    assert.equal(made.status, 201)
    assert.ok(!made.text.includes('correct horse'))
    const channels = [{ type: 'webhook', target: 'https://example.com/hook' }]
    const generated = await api('PUT', '/notifications/channels', { body: { channels } })
    assert.match(generated.text, /"secret": "[^"•]{4}•{8}[^"•]{4}"/)
    const revealed = await api('GET', '/lbproxy/config?reveal=1')
    assert.deepEqual([revealed.status, revealed.text.includes('agents are shown no secrets')], [403, true])
    const { data } = await panel.request('GET', '/api/activity', { as: admin })
    assert.ok(!JSON.stringify(data).includes('correct horse'))
  })

  test('of a limited key change the access of nobody', async () => {
    const key = await openAgent(panel, admin.id, { scopes: ['booting_users_management'] })
    const body = {
      email: 'free@example.com',
      password: 'correct horse battery',
      fullname: 'x',
      is_admin: true,
    }
    const { status, text } = await key.call('api_call', { method: 'POST', path: '/users', body })
    assert.equal(status, 403)
    assert.match(text, /limited/)
    assert.equal((await key.call('list_users')).status, 200)
  })

  test('mark what others may have written', async () => {
    assert.equal((await agent.call('activity_log')).meta.untrusted, true)
    assert.equal((await agent.call('list_plugins')).meta, undefined)
  })

  test('run for a notification as well, which is answered by 202', async () => {
    const params = { name: 'api_call', arguments: { method: 'POST', path: '/plugins/webacl/disable' } }
    const { status, text } = await agent.send({ method: 'tools/call', params })
    assert.deepEqual([status, text], [202, ''])
    const isEnabled = async () =>
      (await panel.request('GET', '/api/plugins', { as: admin })).data.find(
        (each: any) => each.name === 'webacl',
      ).enabled
    assert.equal(await isEnabled(), false)
  })
})
