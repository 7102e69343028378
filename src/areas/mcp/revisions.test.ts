import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { openAgent, type TestAgent } from './testing/agent.ts'

const version = '2026-07-28'
const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
}

interface Asked {
  readonly method?: string
  readonly params?: object
  readonly headers?: Readonly<Record<string, string>>
}

describe('the revision 2026-07-28 of the protocol', () => {
  let panel: TestPanel
  let agent: TestAgent
  before(async () => {
    panel = await openTestPanel()
    agent = await openAgent(panel, panel.admin.id)
  })
  after(() => panel.close())

  /** Sends a request whose headers say what its body says, unless others are given. */
  const ask = ({ method = 'tools/list', params = {}, headers = {} }: Asked = {}) => {
    const { name }: { readonly name?: unknown } = Object(params)
    const named: Readonly<Record<string, string>> = typeof name === 'string' ? { 'mcp-name': name } : {}
    const own = { 'mcp-protocol-version': version, 'mcp-method': method, ...named }
    const message = { jsonrpc: '2.0', id: 'a', method, params: { _meta: meta, ...params } }
    return agent.send(message, { headers: { ...own, ...headers } })
  }
  const refusal = async (asked: Asked): Promise<readonly [number, number]> => {
    const { status, json } = await ask(asked)
    assert.deepEqual([json.jsonrpc, json.id, typeof json.error.message], ['2.0', 'a', 'string'])
    return [status, json.error.code]
  }

  /** The id of the last activity entry: each call of a tool makes one. */
  const newestEntry = async (): Promise<number> =>
    (await panel.request('GET', '/api/activity', { as: panel.admin })).data.items[0].id

  test('tells its versions, and what the key may do', async () => {
    const { status, json } = await ask({ method: 'server/discover' })
    const { instructions, ...result } = json.result
    assert.equal(status, 200)
    assert.deepEqual(result, {
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'hostreeve', version: '1.0.0' } },
      supportedVersions: [version, '2025-11-25', '2025-06-18'],
      capabilities: { tools: {} },
      serverInfo: { name: 'hostreeve', version: '1.0.0' },
      ttlMs: 60_000,
      cacheScope: 'private',
    })
    assert.match(instructions, /all permissions of the owner/)
  })

  test('lists tools that may be cached, and calls them', async () => {
    const { result } = (await ask()).json
    assert.deepEqual(
      [result.resultType, result.tools.length, result.cacheScope, result.ttlMs],
      ['complete', 17, 'public', 3_600_000],
    )
    const called = (await ask({ method: 'tools/call', params: { name: 'activity_log' } })).json.result
    assert.deepEqual([called.resultType, called.isError], ['complete', false])
    assert.deepEqual(Object.keys(called._meta), ['io.modelcontextprotocol/serverInfo', 'untrusted'])
    assert.match(called.content[0].text, /^HTTP 200\n/)
  })

  test('takes a name that a header cannot contain in base64', async () => {
    const encode = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`
    const call = (name: string, header: string) =>
      ask({ method: 'tools/call', params: { name }, headers: { 'mcp-name': header } })
    assert.equal((await call('list_plugins', encode('list_plugins'))).status, 200)
    assert.equal((await call('Züge', encode('Züge'))).json.error.code, -32602)
    assert.equal((await call('list_plugins', encode('list_users'))).json.error.code, -32020)
  })

  test('refuses a request whose headers and body differ, without calling anything', async () => {
    const call = { method: 'tools/call', params: { name: 'list_plugins' } }
    const wrong: readonly Asked[] = [
      { headers: { 'mcp-method': 'tools/call' } },
      { headers: { 'mcp-method': '' } },
      { ...call, headers: { 'mcp-name': 'list_users' } },
      { ...call, headers: { 'mcp-name': '' } },
      { headers: { 'mcp-protocol-version': '2027-01-01' } },
      { params: { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } } },
    ]
    const newest = await newestEntry()
    for (const asked of wrong) assert.deepEqual(await refusal(asked), [400, -32020], JSON.stringify(asked))
    assert.equal(await newestEntry(), newest)
  })

  test('requires the version and the capabilities of the client', async () => {
    const { 'io.modelcontextprotocol/protocolVersion': named, ...versionless } = meta
    for (const _meta of [
      undefined,
      null,
      [],
      {},
      versionless,
      { 'io.modelcontextprotocol/protocolVersion': named },
      { ...meta, 'io.modelcontextprotocol/clientCapabilities': [] },
    ])
      assert.deepEqual(await refusal({ params: { _meta } }), [400, -32602], JSON.stringify(_meta))
  })

  test('has no method of the handshake', async () => {
    for (const method of ['ping', 'nosuch', 'logging/setLevel', 'tools/nosuch'])
      assert.deepEqual(await refusal({ method }), [404, -32601], method)
    const { status, json } = await ask({ method: 'initialize', params: { protocolVersion: version } })
    assert.deepEqual([status, json.result.protocolVersion], [200, version])
  })

  test('is named where a client asks for another one', async () => {
    const { status, json } = await ask({
      params: { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } },
      headers: { 'mcp-protocol-version': '2027-01-01' },
    })
    assert.deepEqual([status, json.error.code], [400, -32022])
    assert.deepEqual(json.error.data, {
      supported: [version, '2025-11-25', '2025-06-18'],
      requested: '2027-01-01',
    })
  })

  test('leaves earlier revisions as they are', async () => {
    const send = (method: string, headers: Readonly<Record<string, string>>) =>
      agent.send({ id: 1, method }, { headers })
    for (const earlier of ['2025-11-25', '2025-06-18', '1900-01-01', 'x']) {
      const headers = { 'mcp-protocol-version': earlier, 'mcp-method': 'other' }
      assert.deepEqual((await send('ping', headers)).json, { jsonrpc: '2.0', id: 1, result: {} })
      const { status, json } = await send('server/discover', headers)
      assert.deepEqual([status, json.error.code], [200, -32601])
      assert.equal((await send('tools/list', headers)).json.result.resultType, undefined)
    }
    const discover = { id: 1, method: 'server/discover', params: { _meta: meta } }
    assert.equal((await agent.send(discover)).json.error.code, -32601)
  })

  test('answers a notification by 202, and does not handle one that differs from its headers', async () => {
    const headers = { 'mcp-protocol-version': version, 'mcp-method': 'tools/list' }
    const message = { method: 'tools/call', params: { _meta: meta, name: 'list_plugins' } }
    const newest = await newestEntry()
    const { status, text } = await agent.send(message, { headers })
    assert.deepEqual([status, text], [202, ''])
    assert.equal(await newestEntry(), newest)
  })
})
