import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { openAgent, type TestAgent } from './testing/agent.ts'

describe('the MCP endpoint', () => {
  let panel: TestPanel
  let admin: Person
  let agent: TestAgent
  before(async () => {
    panel = await openTestPanel()
    admin = panel.admin
    agent = await openAgent(panel, admin.id)
  })
  after(() => panel.close())

  const ask = (method: string, params?: unknown) =>
    agent.send({ jsonrpc: '2.0', id: 7, method, ...(params !== undefined && { params }) })

  test('greets, and echoes the version of the client', async () => {
    const { status, json } = await ask('initialize', { protocolVersion: '2099-01-01' })
    assert.equal(status, 200)
    const { instructions, ...result } = json.result
    assert.deepEqual(
      { ...json, result },
      {
        jsonrpc: '2.0',
        id: 7,
        result: {
          protocolVersion: '2099-01-01',
          capabilities: { tools: {} },
          serverInfo: { name: 'hostreeve', version: '1.0.0' },
        },
      },
    )
    assert.ok(instructions.includes(admin.email) && instructions.includes('all permissions'))
    for (const params of [undefined, {}, { protocolVersion: '' }, { protocolVersion: 5 }, []])
      assert.equal((await ask('initialize', params)).json.result.protocolVersion, '2025-06-18')
  })

  test('answers a ping, and notifications without a body', async () => {
    assert.deepEqual((await ask('ping')).json, { jsonrpc: '2.0', id: 7, result: {} })
    assert.deepEqual((await ask('notifications/initialized')).json.result, {})
    const silent = [
      { method: 'notifications/initialized' },
      { method: 'notifications/cancelled', id: null },
      { method: 'nosuch' },
      { method: 'tools/call', params: [] },
      {},
    ]
    for (const message of silent) {
      const { status, text } = await agent.send(message)
      assert.deepEqual([status, text], [202, ''], JSON.stringify(message))
    }
  })

  test('returns the id as it was sent, of any type of JSON', async () => {
    for (const id of [0, -1.5, '', 'a', true, false, [], {}, [1, { a: null }]])
      assert.deepEqual((await agent.send({ id, method: 'ping' })).json, { jsonrpc: '2.0', id, result: {} })
  })

  test('answers what is no request with -32700 and the id null', async () => {
    const deep = `{"id":1,"method":"ping","params":${'['.repeat(1000)}${']'.repeat(1000)}}`
    const large = `{"id":1,"method":"ping","params":"${'x'.repeat(9 * 1024 * 1024)}"}`
    for (const body of [
      undefined,
      '',
      '{',
      'ping',
      '"ping"',
      '[]',
      '[{"id":1,"method":"ping"}]',
      'null',
      deep,
      large,
    ]) {
      const { status, json } = await agent.send(body)
      assert.deepEqual(
        [status, json.id, json.error.code],
        [200, null, -32700],
        body?.slice(0, 50) ?? 'nothing',
      )
    }
    const whole = 8 * 1024 * 1024
    const body = '{"id":1,"method":"ping","params":{"a":""}}'
    const filled = body.replace('""', `"${'x'.repeat(whole - body.length)}"`)
    assert.deepEqual((await agent.send(filled)).json.result, {})
  })

  test('answers unknown methods and calls with the codes of JSON-RPC', async () => {
    const code = async (message: object) => {
      const { status, json } = await agent.send({ id: 3, ...message })
      assert.deepEqual([status, json.id, json.jsonrpc], [200, 3, '2.0'])
      return json.error.code
    }
    for (const method of [undefined, '', 'tools/none', 5, {}, 'server/discover', 'x'.repeat(10_000)])
      assert.equal(await code({ method }), -32601)
    for (const params of [undefined, null, [], 'x', {}, { name: '' }, { name: 5 }, { name: 'nosuch' }])
      assert.equal(await code({ method: 'tools/call', params }), -32602)
  })

  test('names the field that is wrong, and quotes no more than the beginning of it', async () => {
    const told = async (message: object) =>
      (await agent.send({ id: 3, ...message })).json.error.message as string
    assert.equal(await told({ method: 'tools/none' }), 'method: there is no method tools/none')
    for (const method of [undefined, '', 5])
      assert.equal(await told({ method }), 'method: must be the name of a method')
    const call = (name: string) => told({ method: 'tools/call', params: { name } })
    assert.equal(await call('nosuch'), 'name: there is no tool nosuch')
    assert.equal(await call('x'.repeat(10_000)), `name: there is no tool ${'x'.repeat(100)}…`)
    assert.equal(await told({ method: 'x'.repeat(10_000) }), `method: there is no method ${'x'.repeat(100)}…`)
  })

  test('serves POST alone, before it looks at anything else', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers, text } = await panel.request(method, '/api/mcp', {
        headers: { origin: 'https://elsewhere.example.com', host: 'elsewhere.example.com' },
      })
      assert.deepEqual([status, headers['allow'], text], [405, 'POST', 'Method Not Allowed\n'])
      assert.match(String(headers['content-type']), /^text\/plain/)
    }
  })

  test('requires a key that is known, enabled and not expired, of an active owner', async () => {
    const ping = { id: 1, method: 'ping' }
    const { data: api } = await panel.request('POST', '/api/auth/api-keys', {
      as: admin,
      body: { name: 'x' },
    })
    const refused = [undefined, 'mcp_', `mcp_${'0'.repeat(64)}`, admin.token, api.key, agent.token.slice(4)]
    for (const as of refused) {
      const { status, error, headers } = await panel.request('POST', '/api/mcp', {
        body: ping,
        ...(as && { as }),
        ip: '10.98.0.1',
      })
      assert.deepEqual([status, error.code, headers['www-authenticate']], [401, 'unauthorized', 'Bearer'])
    }
    const owner = await panel.person()
    const other = await openAgent(panel, owner.id, { expires_in_days: 1 })
    const status = async () => (await other.send(ping)).status
    assert.equal(await status(), 200)
    const set = (text: string, path: string, body?: object) =>
      panel.request(text, path, { as: admin, ...(body && { body }) })
    await set('POST', `/api/mcp-keys/${other.keyId}/toggle`)
    assert.equal(await status(), 401)
    await set('POST', `/api/mcp-keys/${other.keyId}/toggle`)
    await set('PATCH', `/api/users/${owner.id}`, { is_suspended: true })
    assert.equal(await status(), 401)
    await set('PATCH', `/api/users/${owner.id}`, { is_suspended: false })
    assert.equal(await status(), 200)
    await panel.store.db
      .updateTable('mcp_keys')
      .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
      .where('id', '=', other.keyId)
      .execute()
    assert.equal(await status(), 401)
  })

  test('marks a key as used, and is for nothing but this endpoint', async () => {
    await ask('ping')
    const { data } = await panel.request('GET', '/api/mcp-keys', { as: admin })
    const key = data.find(({ id }: { id: number }) => id === agent.keyId)
    assert.ok(Date.parse(key.last_used) >= Date.parse(key.created_at))
    assert.equal((await panel.request('GET', '/api/auth/me', { as: agent.token })).status, 401)
  })

  test('takes the key from the query, unless that is disabled or a header is sent', async () => {
    const ping = { id: 1, method: 'ping' }
    const path = `/api/mcp?token=${agent.token}`
    assert.equal((await panel.request('POST', path, { body: ping })).status, 200)
    assert.equal((await panel.request('POST', path, { body: ping, as: 'mcp_x' })).status, 401)
    const strict = await openTestPanel({ environment: { HOSTREEVE_MCP_QUERY_TOKEN: 'off' } })
    const other = await openAgent(strict, strict.admin.id)
    const inQuery = await strict.request('POST', `/api/mcp?token=${other.token}`, { body: ping })
    assert.deepEqual([inQuery.status, (await other.send(ping)).status], [401, 200])
    await strict.close()
  })

  test('refuses pages of other sites and foreign names of a loopback address', async () => {
    const ping = { id: 1, method: 'ping' }
    const status = async (headers: Readonly<Record<string, string>>) =>
      (await agent.send(ping, { headers })).status
    assert.equal(await status({ origin: 'https://elsewhere.example.com' }), 403)
    assert.equal(await status({ origin: 'http://localhost:80', host: 'localhost:80' }), 200)
  })

  test('is refused while the plugin is disabled', async () => {
    await panel.request('POST', '/api/plugins/mcp/disable', { as: admin })
    const { status, error } = await ask('ping')
    await panel.request('POST', '/api/plugins/mcp/enable', { as: admin })
    assert.deepEqual([status, error.code], [403, 'plugin_disabled'])
  })
})
