import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import { openAgent, type TestAgent } from './testing/agent.ts'

describe('a change of an agent that waits for a person', () => {
  let panel: TestPanel
  let admin: Person
  let agent: TestAgent
  before(async () => {
    panel = await openTestPanel()
    await panel.start() // a job carries out what was approved
    admin = panel.admin
    agent = await openAgent(panel, admin.id, { approve: true, name: 'planner' })
  })
  after(() => panel.close())

  const api = (method: string, path: string, more: object = {}) =>
    agent.call('api_call', { method, path, ...more })
  /** Lets the agent ask for a change, and returns the id of its plan. */
  const askFor = async (method: string, path: string, body?: object): Promise<number> => {
    const { text, status, isError, meta } = await api(method, path, { ...(body && { body }) })
    assert.deepEqual([status, isError], [202, false], text)
    const { plan_id: id } = JSON.parse(text.replace(/^.*\n/, '')).data
    assert.equal(meta.plan_id, id)
    return id
  }
  const decide = (id: number, verb: 'approve' | 'reject', as: Person | string = admin) =>
    panel.request('POST', `/api/mcp-keys/approvals/${id}/${verb}`, { as })
  const read = async (id: number) =>
    (await panel.request('GET', `/api/mcp-keys/approvals/${id}`, { as: admin })).data
  const stateOnce = (id: number, state: string) => until(async () => (await read(id)).state === state)
  const isEnabled = async (name: string): Promise<boolean> =>
    (await panel.request('GET', '/api/plugins', { as: admin })).data.find((each: any) => each.name === name)
      .enabled

  test('is shown with its plan, carried out once it is approved, and answered with plan_id', async () => {
    const id = await askFor('POST', '/plugins/uptime/disable')
    assert.equal(await isEnabled('uptime'), true)
    const { data } = await panel.request('GET', '/api/mcp-keys/approvals?state=pending', { as: admin })
    const [listed] = data.items
    assert.deepEqual(
      [listed.id, listed.key_id, listed.key_name, listed.summary, listed.state],
      [id, agent.keyId, 'planner', 'Disable plugin uptime', 'pending'],
    )
    const hours = (Date.parse(listed.expires_at) - Date.parse(listed.created_at)) / 3_600_000
    assert.equal(hours, 24)
    const { plan } = await read(id)
    assert.deepEqual([plan.effect, plan.rows[0].table], ['changes', 'plugins'])
    const asked = { method: 'POST', path: '/plugins/uptime/disable', plan_id: id }
    const waiting = await agent.call('api_call', asked)
    assert.match(waiting.text, /^HTTP 202\n[^]*"state": "pending"/)
    assert.equal(waiting.meta.plan_id, id)

    assert.equal((await decide(id, 'approve')).status, 202)
    await stateOnce(id, 'done')
    assert.equal(await isEnabled('uptime'), false)
    const outcome = await agent.call('api_call', asked)
    assert.deepEqual([outcome.status, outcome.isError], [200, false])
    assert.match(outcome.text, /"success": true/)
    const log = await panel.request('GET', '/api/activity?action=plugins_disable_plugin', { as: admin })
    const [entry] = log.data.items
    assert.deepEqual([entry.user_id, entry.mcp_key_id], [admin.id, agent.keyId])
  })

  test('is carried out once if two people decide on it at once', async () => {
    const second = await panel.person({ isAdmin: true })
    const id = await askFor('POST', '/plugins/webacl/disable')
    const answers = await Promise.all([decide(id, 'approve'), decide(id, 'approve', second)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [202, 409])
    assert.equal(answers.find(({ status }) => status === 409)?.error.code, 'conflict')
    await stateOnce(id, 'done')
    const log = await panel.request('GET', '/api/activity?search=webacl', { as: admin })
    const done = log.data.items.filter(({ action }: any) => action === 'plugins_disable_plugin')
    assert.equal(done.length, 1)
    assert.equal((await decide(id, 'reject')).error.code, 'conflict')
  })

  test('is stale for good if its target was changed meanwhile', async () => {
    const person = await panel.person()
    const path = `/users/${person.id}`
    const id = await askFor('PATCH', path, { fullname: 'By the agent' })
    await panel.request('PATCH', `/api${path}`, { as: admin, body: { fullname: 'By a person' } })
    for (const attempt of [1, 2]) {
      const { status, error } = await decide(id, 'approve')
      assert.deepEqual([status, error.code], [409, 'conflict'], `attempt ${attempt}`)
    }
    assert.equal((await read(id)).state, 'stale')
    assert.equal((await decide(id, 'reject')).error.code, 'conflict')
    const told = await api('PATCH', path, { plan_id: id })
    assert.deepEqual([told.status, told.text.includes('"code": "conflict"')], [409, true])
    const { data } = await panel.request('GET', `/api${path}`, { as: admin })
    assert.equal(data.fullname, 'By a person')
  })

  test('is not carried out if a person rejects it, or nobody decides within a day', async () => {
    const rejected = await askFor('POST', '/plugins/uptime/enable')
    assert.equal((await decide(rejected, 'reject')).status, 200)
    const told = await api('POST', '/plugins/uptime/enable', { plan_id: rejected })
    assert.deepEqual([told.status, told.text.includes('plan_rejected')], [403, true])
    assert.equal((await read(rejected)).decided_by, admin.email)

    const late = await askFor('POST', '/plugins/uptime/enable')
    await panel.store.db
      .updateTable('mcp_approvals')
      .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
      .where('id', '=', late)
      .execute()
    for (const verb of ['approve', 'reject'] as const)
      assert.equal((await decide(late, verb)).error.code, 'plan_expired')
    const { data } = await panel.request('GET', '/api/mcp-keys/approvals?state=expired', { as: admin })
    assert.deepEqual(
      data.items.map((each: any) => [each.id, each.state]),
      [[late, 'expired']],
    )
    assert.equal((await api('POST', '/plugins/uptime/enable', { plan_id: late })).status, 409)
    assert.equal(await isEnabled('uptime'), false)
  })

  test('is not carried out once the key has ended', async () => {
    const other = await openAgent(panel, admin.id, { approve: true })
    const { text } = await other.call('api_call', { method: 'POST', path: '/plugins/uptime/enable' })
    const id = JSON.parse(text.replace(/^.*\n/, '')).data.plan_id
    await panel.request('POST', `/api/mcp-keys/${other.keyId}/toggle`, { as: admin })
    assert.equal((await decide(id, 'approve')).error.code, 'key_ended')
    await panel.request('DELETE', `/api/mcp-keys/${other.keyId}`, { as: admin })
    assert.equal((await decide(id, 'approve')).status, 404)
  })

  test('is shown without the secrets that it contains, which are stored sealed', async () => {
    const body = { email: 'new@example.com', password: 'correct horse battery', fullname: 'New' }
    const id = await askFor('POST', '/users', body)
    const { request } = await read(id)
    assert.deepEqual([request.body.email, request.body.password], ['new@example.com', '••••••••'])
    const rows = await panel.store.db.selectFrom('mcp_approvals').selectAll().execute()
    assert.ok(!JSON.stringify(rows).includes('correct horse'))
    assert.equal((await decide(id, 'approve')).status, 202)
    await stateOnce(id, 'done')
    assert.ok(!(await read(id)).answer.includes('correct horse'))
  })

  test('is planned, however the query asks for it, and never carried out at once', async () => {
    const plan = await api('POST', '/plugins/uptime/enable', { plan: true })
    assert.match(plan.text, /^HTTP 200\n[^]*"summary": "Enable plugin uptime"/)
    for (const query of ['?plan=0', '?plan=false', '?x=1&plan=0', '?%70lan=0', '?pl=1;plan=1'])
      assert.equal((await api('POST', `/plugins/uptime/enable${query}`)).status, 202, query)
    for (const query of ['?plan=1', '?plan=1&plan=0', '?plan=x'])
      assert.equal((await api('POST', `/plugins/uptime/enable${query}`)).status, 200, query)
    assert.equal(await isEnabled('uptime'), false)
    const refused = await api('POST', '/plugins/nosuch/enable')
    assert.equal(refused.status, 404)
    assert.equal((await api('GET', '/plugins')).status, 200)
  })

  test('is told to the key that asked for it alone, and for the same request', async () => {
    const id = await askFor('POST', '/plugins/uptime/enable')
    const enable = { method: 'POST', path: '/plugins/uptime/enable' }
    assert.equal((await api('POST', '/plugins/webacl/enable', { plan_id: id })).status, 400)
    const other = await openAgent(panel, admin.id, { approve: true })
    assert.equal((await other.call('api_call', { ...enable, plan_id: id })).status, 404)
    const free = await openAgent(panel, admin.id)
    assert.equal((await free.call('api_call', { ...enable, plan_id: id })).status, 400)
    assert.equal((await api('POST', '/plugins/uptime/enable', { plan_id: 0 })).status, 400)
  })

  test('is told to superusers while it waits', async () => {
    const other = await openAgent(panel, admin.id, { approve: true, name: 'teller' })
    const { status } = await other.call('api_call', { method: 'POST', path: '/plugins/uptime/enable' })
    assert.equal(status, 202)
    const told = await until(async () => {
      const { data } = await panel.request('GET', '/api/notifications?kind=agent_plan_waits', { as: admin })
      return data.items.find(({ message }: any) => message.startsWith('The key teller asks for'))
    })
    assert.deepEqual([told.title, told.link], ['An agent asks: Enable plugin uptime', '/mcp/approvals'])
  })

  test('has failed a day after it was approved, if its job was cancelled before it started', async () => {
    const ids = [
      await askFor('POST', '/plugins/uptime/enable'),
      await askFor('POST', '/plugins/uptime/enable'),
    ]
    for (const [at, id] of ids.entries())
      await panel.store.db
        .updateTable('mcp_approvals')
        .set({
          state: 'approved',
          decided_at: new Date(Date.now() - (at === 0 ? 90_000_000 : 0)).toISOString(),
        })
        .where('id', '=', id)
        .execute()
    await panel.jobs.enqueue({ kind: 'mcp.prune-approvals', input: {}, ownerId: null, title: 'Tidy' })
    const [old = 0, recent = 0] = ids
    await stateOnce(old, 'failed')
    assert.equal((await read(recent)).state, 'approved')
    assert.equal((await api('POST', '/plugins/uptime/enable', { plan_id: old })).status, 503)
  })

  test('waits with at most 49 others of its key', async () => {
    const other = await openAgent(panel, admin.id, { approve: true })
    const enable = { method: 'POST', path: '/plugins/uptime/enable' }
    for (let count = 0; count < 50; count += 1)
      assert.equal((await other.call('api_call', enable)).status, 202)
    const { status, text } = await other.call('api_call', enable)
    assert.deepEqual([status, text.includes('50 plans of this key wait')], [429, true])
  })

  test('is decided on by people who are superusers, and not by keys', async () => {
    const id = await askFor('POST', '/plugins/uptime/enable')
    const { data } = await panel.request('POST', '/api/auth/api-keys', { as: admin, body: { name: 'x' } })
    const other = await panel.person({ permissions: ['plugins_management'] })
    for (const verb of ['approve', 'reject'] as const)
      for (const as of [data.key, other]) {
        const { status, error } = await decide(id, verb, as)
        assert.deepEqual([status, error.code], [403, 'forbidden'])
      }
    const reads = ['/api/mcp-keys/approvals', `/api/mcp-keys/approvals/${id}`]
    for (const path of reads) assert.equal((await panel.request('GET', path, { as: other })).status, 403)
    assert.equal((await api('POST', `/mcp-keys/approvals/${id}/approve`)).status, 403)
    assert.equal((await decide(999_999, 'approve')).status, 404)
    const wrong = await panel.request('GET', '/api/mcp-keys/approvals?state=nosuch', { as: admin })
    assert.deepEqual([wrong.status, wrong.error.code], [400, 'bad_request'])
  })
})
