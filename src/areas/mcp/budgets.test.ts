import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { openBudgets } from './budgets.ts'
import { mcpKeys, type McpKeyRow, type McpUsageRow } from './store.ts'
import { openAgent } from './testing/agent.ts'

const rowWith = (limits: Partial<McpKeyRow>): McpKeyRow => ({
  ...mcpKeys.row({
    id: 7,
    user_id: 1,
    name: 'agent',
    key_hash: 'hash',
    key_prefix: 'mcp_',
    scopes: [],
    read_only: false,
    enabled: true,
    approve: false,
    created_at: '2026-11-29T00:00:00.000Z',
  }),
  ...limits,
})

/** A budget over a store of one row, at a time that the test sets. */
function openBudget(limits: Partial<McpKeyRow>) {
  const state = { now: Date.parse('2026-11-29T10:00:00Z'), stored: undefined as McpUsageRow | undefined }
  const queries = {
    usage: async () => state.stored,
    keepUsage: async (used: McpUsageRow) => void (state.stored = used),
  }
  const open = () => openBudgets(queries, () => new Date(state.now)).of(rowWith(limits))
  return { state, open, budget: open() ?? assert.fail() }
}

describe('the budget of a key', () => {
  test('allows so many calls and changes in an hour, also after a restart', async () => {
    const { state, open, budget } = openBudget({ max_calls: 2, max_changes: 1 })
    await budget.countCall()
    await budget.countChange()
    await assert.rejects(budget.countChange(), /^Problem: The budget of this key is 1 changes an hour/)
    const reopened = open() ?? assert.fail()
    await reopened.countCall()
    await assert.rejects(reopened.countCall(), /2 calls an hour: try again at 2026-11-29T11:00:00.000Z/)
    state.now += 3_599_999
    await assert.rejects(reopened.countCall(), /2 calls an hour/)
    state.now += 1
    await reopened.countCall()
    assert.deepEqual(state.stored, {
      key_id: 7,
      hour_began_at: '2026-11-29T11:00:00.000Z',
      calls: 1,
      changes: 0,
      bytes: 0,
    })
  })

  test('counts calls that are made at the same time one by one', async () => {
    const { state, budget } = openBudget({ max_calls: 5 })
    const calls = await Promise.allSettled(Array.from({ length: 20 }, () => budget.countCall()))
    assert.equal(calls.filter(({ status }) => status === 'fulfilled').length, 5)
    assert.equal(state.stored?.calls, 5)
  })

  test('allows the bytes that are left, and no call after them', async () => {
    const { budget } = openBudget({ max_bytes: 100 })
    await budget.countCall()
    assert.deepEqual([await budget.countBytes(60), await budget.countBytes(60)], [60, 40])
    assert.equal(await budget.countBytes(1), 0)
    await assert.rejects(budget.countCall(), /100 bytes of answers an hour/)
  })

  test('begins a new hour where the clock was set back', async () => {
    const { state, budget } = openBudget({ max_calls: 1 })
    await budget.countCall()
    state.now -= 1
    await budget.countCall()
    assert.equal(state.stored?.hour_began_at, '2026-11-29T09:59:59.999Z')
  })

  test('is none for a key without limits', () => {
    const queries = { usage: async () => assert.fail(), keepUsage: async () => assert.fail() }
    assert.equal(openBudgets(queries).of(rowWith({})), undefined)
  })
})

describe('an agent with a budget', () => {
  let panel: TestPanel
  before(async () => {
    panel = await openTestPanel()
  })
  after(() => panel.close())

  const disable = { method: 'POST', path: '/plugins/uptime/disable' }

  test('is told of it, refused beyond it, and recorded all the same', async () => {
    const agent = await openAgent(panel, panel.admin.id, { budget: { calls: 3, changes: 1 } })
    const { data } = await panel.request('GET', '/api/mcp-keys', { as: panel.admin })
    assert.deepEqual(data[0].budget, { calls: 3, changes: 1 })
    assert.equal((await agent.call('api_call', { ...disable, plan: true })).status, 200)
    assert.equal((await agent.call('api_call', disable)).status, 200)
    const refused = await agent.call('api_call', disable)
    assert.deepEqual([refused.status, refused.isError], [403, true])
    assert.match(refused.text, /"code": "forbidden",\n {4}"message": "The budget of this key is 1 changes/)
    assert.match((await agent.call('list_endpoints')).text, /^HTTP 403\n[^]*is 3 calls an hour/)
    const { json } = await agent.send({ id: 1, method: 'tools/list' })
    assert.equal(json.result.tools.length, 17)
    const listed = await panel.request('GET', '/api/mcp-keys', { as: panel.admin })
    const { calls, changes, bytes } = listed.data[0].used
    assert.deepEqual([calls, changes, bytes > 0], [3, 1, true])
    const log = await panel.request('GET', '/api/activity', { as: panel.admin })
    const [entry] = log.data.items
    assert.deepEqual([entry.status, entry.message], ['failed', 'list_endpoints: HTTP 403'])
  })

  test('gets an answer that is cut to its bytes, with its status', async () => {
    const agent = await openAgent(panel, panel.admin.id, { budget: { bytes: 1024 } })
    const first = await agent.call('list_plugins')
    assert.deepEqual([first.status, first.meta], [200, { truncated: true }])
    assert.equal(Buffer.byteLength(first.text), 1024)
    assert.equal((await agent.call('list_plugins')).status, 403)
  })

  test('changes the access of nobody', async () => {
    const agent = await openAgent(panel, panel.admin.id, { budget: { calls: 100 } })
    const body = { email: 'free@example.com', password: 'correct horse battery', fullname: 'x' }
    assert.equal((await agent.call('api_call', { method: 'POST', path: '/users', body })).status, 403)
  })

  test('has one that is checked field by field', async () => {
    const wrong = { calls: 0, changes: -1, bytes: 1023 }
    for (const [field, value] of Object.entries(wrong)) {
      const body = { user_id: panel.admin.id, budget: { [field]: value } }
      const { status, error } = await panel.request('POST', '/api/mcp-keys', { as: panel.admin, body })
      assert.deepEqual([status, error.code], [400, 'bad_request'])
      assert.match(error.message, new RegExp(`^budget\\.${field}: must be a whole number from`))
    }
  })
})
