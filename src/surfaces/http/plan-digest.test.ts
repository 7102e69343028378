import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { foreseenIds, withSameIds } from './plan-digest.ts'

describe('a request that names its plan', () => {
  let panel: TestPanel
  let as: Person
  before(async () => {
    panel = await openTestPanel()
    await panel.start() // a user is deleted by a job
    as = panel.admin
  })
  after(() => panel.close())

  const digestOf = async (method: string, path: string, body?: object): Promise<string> => {
    const { headers, status } = await panel.request(method, `${path}?plan=1`, { as, ...(body && { body }) })
    assert.equal(status, 200)
    return String(headers['x-plan-digest'])
  }
  const send = (method: string, path: string, digest: string, body?: object) =>
    panel.request(method, path, { as, headers: { 'x-plan-digest': digest }, ...(body && { body }) })

  test('carries out that plan, and is stale once its row has changed', async () => {
    const person = await panel.person()
    const [path, body] = [`/api/users/${person.id}`, { fullname: 'Ada' }]
    const first = await digestOf('PATCH', path, body)
    assert.match(first, /^[0-9a-f]{64}$/)
    assert.equal(await digestOf('PATCH', path, body), first)
    assert.equal((await send('PATCH', path, first, body)).status, 200)
    const { status, error } = await send('PATCH', path, first, { fullname: 'Bob' })
    assert.deepEqual([status, error.code], [409, 'plan_stale'])
    const { data } = await panel.request('GET', path, { as })
    assert.equal(data.fullname, 'Ada')
  })

  test('is compared when a job is ordered, which a repeat is not again', async () => {
    const person = await panel.person()
    const path = `/api/users/${person.id}`
    assert.equal((await send('DELETE', path, '0'.repeat(64))).error.code, 'plan_stale')
    assert.equal((await panel.request('GET', path, { as })).status, 200)
    const headers = {
      'x-plan-digest': await digestOf('DELETE', path),
      'idempotency-key': `delete-${person.id}`,
    }
    const gone = await panel.request('DELETE', path, { as, headers })
    assert.ok(gone.status < 300, gone.text)
    const again = await panel.request('DELETE', path, { as, headers })
    assert.deepEqual([again.status, again.headers['idempotency-replayed']], [gone.status, 'true'])
  })

  test('inserts the row whose identifier the plan foresaw, as plans take none', async () => {
    const body = { user_id: panel.admin.id, name: 'agent' }
    const next = panel.store.peekId('mcp_keys')
    const first = await digestOf('POST', '/api/mcp-keys', body)
    assert.equal(await digestOf('POST', '/api/mcp-keys', body), first)
    assert.equal(panel.store.peekId('mcp_keys'), next)
    const { status, data } = await send('POST', '/api/mcp-keys', first, body)
    assert.deepEqual([status, data.key.id], [200, next])
    const ids = foreseenIds(() => 7)
    assert.deepEqual([ids('boxes'), ids('boxes'), ids('crates')], [7, 8, 7])
  })

  test('is refused if the digest cannot be one', async () => {
    for (const digest of ['', 'x', '0'.repeat(63), 'A'.repeat(64)]) {
      const { status, error } = await send('POST', '/api/plugins/uptime/disable', digest)
      assert.deepEqual([status, error.code], [400, 'bad_request'])
      assert.match(error.message, /^X-Plan-Digest: must be/)
    }
  })
})

test('a decision that is made again is given the identifiers of the first one', async () => {
  let last = 0
  let wanted = 2
  const decide = withSameIds(
    () => (last += 1),
    async (id) => [id('websites'), ...Array.from({ length: wanted }, () => id('aliases'))],
  )
  assert.deepEqual(await decide(), [1, 2, 3])
  wanted = 3
  assert.deepEqual(await decide(), [1, 2, 3, 4])
  assert.deepEqual(await decide(), [1, 2, 3, 4])
})
