import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { placeMcpClients, runConformance, served, useInspector, useSdk } from './story/mcp-clients.ts'
import { factsOf, operationsOf, stopSchedules } from './story/read-only.ts'
import { SignedIn } from './story/signed-in.ts'

const parallel = 4
const limitMs = 300_000

describe('agents', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ownerId: number
  let url: string
  before(async () => {
    host = await bootHost('mcp')
    await placeMcpClients(host)
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    ownerId = (await admin.must('GET', '/api/auth/me')).id
    const { HOSTREEVE_HOST: address, HOSTREEVE_PORT: port } = panel.environment
    url = `http://${address}:${port}/api/mcp`
  })
  after(() => host?.remove())

  const newKey = async (draft: object = {}): Promise<string> =>
    (await admin.must('POST', '/api/mcp-keys', { user_id: ownerId, ...draft })).token
  const isEnabled = async (wanted: string): Promise<boolean> =>
    (await admin.must('GET', '/api/plugins')).find(({ name }: any) => name === wanted).enabled

  it('use the panel by the official SDK', async () => {
    const disable = { method: 'POST', path: '/plugins/uptime/disable' }
    const seen = await useSdk(host, {
      ...{ url, key: await newKey() },
      calls: [
        { name: 'server_info' },
        { name: 'get_website', arguments: {} },
        { name: 'api_call', arguments: { ...disable, plan: true } },
        { name: 'nosuch' },
        { name: 'api_call', arguments: disable },
      ],
    })
    assert.equal(seen.refused, undefined)
    assert.deepEqual([seen.server.name, seen.protocol, seen.tools.length], ['hostreeve', '2025-11-25', 17])
    assert.match(seen.instructions, /all permissions of the owner/)
    const [read, wrong, planned, unknown, done] = seen.results
    assert.match(read.content[0].text, /^HTTP 200\n[^]*"hostname": "mcp"/)
    assert.deepEqual([wrong.isError, wrong.content[0].text.slice(0, 8)], [true, 'HTTP 400'])
    assert.match(planned.content[0].text, /"summary": "Disable plugin uptime"/)
    assert.deepEqual([unknown.code, /there is no tool nosuch/.test(unknown.message)], [-32602, true])
    assert.deepEqual([done.isError, await isEnabled('uptime')], [false, false])
    const refused = await useSdk(host, { url, key: `mcp_${'0'.repeat(64)}`, calls: [] })
    assert.match(refused.refused, /unauthorized/)
  })

  it('use the panel by the command line of the inspector', async () => {
    const key = await newKey({ scopes: ['plugins_management'], read_only: true })
    const listed = await useInspector(host, { url, key, argv: ['--method', 'tools/list'] })
    assert.equal(listed.code, 0, listed.stderr)
    assert.equal(JSON.parse(listed.stdout).tools.length, 17)
    const call = async (tool: string, ...args: readonly string[]) => {
      const argv = ['--method', 'tools/call', '--tool-name', tool, '--tool-arg', ...args]
      const { stdout, stderr } = await useInspector(host, { url, key, argv })
      assert.ok(stdout.startsWith('{'), stderr)
      return JSON.parse(stdout)
    }
    assert.equal((await call('list_endpoints', 'query=plugins')).content[0].text, 'GET /api/plugins')
    const refused = await call('api_call', 'method=POST', 'path=/plugins/webacl/disable')
    assert.match(refused.content[0].text, /^HTTP 403\n[^]*This key is read-only/)
    assert.equal(await isEnabled('webacl'), true)
  })

  it('pass the conformance runner, but for what the contract does not have', async () => {
    const { code, stdout, stderr } = await runConformance(host, `${url}?token=${await newKey()}`)
    assert.equal(code, 0, `${stdout.slice(-4000)}\n${stderr.slice(-2000)}`)
    for (const scenario of served)
      assert.match(stdout, new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`))
  })

  it('with a read-only key change no row and no file, whatever they call', async () => {
    const ada = await admin.makeOwner('ada')
    await admin.must('POST', '/api/auth/api-keys', { name: 'script' })
    const key = await newKey({ read_only: true })
    const ask = async (method: string, path: string): Promise<number> => {
      const body = {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'api_call', arguments: { method, path, ...(method !== 'GET' && { body: {} }) } },
      }
      const { json } = await panel
        .request('POST', '/api/mcp', { token: key, body, timeoutMs: 120_000 })
        .then((answer) => ({ json: answer.json() as any }))
      return Number(/^HTTP (\d+)/.exec(json.result.content[0].text)?.[1])
    }
    const operations = operationsOf((await panel.request('GET', '/api/openapi.json')).json(), ada.userId)
    assert.ok(operations.length > 500)
    stopSchedules(host) // else the panel itself changes rows at certain minutes
    await poll('the end of the jobs', limitMs, async () => {
      const { items } = await admin.must('GET', '/api/jobs?per_page=100')
      return items.every(({ state }: any) => state !== 'queued' && state !== 'running') || undefined
    })
    const before = await factsOf(host)
    const statuses = new Map<string, number>()
    const left = operations.values()
    const work = async () => {
      for (const { method, path } of left) statuses.set(`${method} ${path}`, await ask(method, path))
    }
    await Promise.all(Array.from({ length: parallel }, work))
    assert.deepEqual(await factsOf(host), before)
    const allowed = [...statuses].filter(([call, status]) => !call.startsWith('GET ') && status !== 403)
    assert.deepEqual(allowed, [])
    const read = [...statuses].filter(([, status]) => status === 200)
    assert.ok(read.length > 80, `only ${read.length} calls were answered`)
  })
})
