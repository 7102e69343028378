import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { permissionSlugs } from '../../core/permissions.ts'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'

describe('MCP keys', () => {
  let panel: TestPanel
  let admin: Person
  before(async () => {
    panel = await openTestPanel()
    await panel.start() // a user is deleted by a job
    admin = panel.admin
  })
  after(() => panel.close())

  const create = (body: unknown) => panel.request('POST', '/api/mcp-keys', { as: admin, body })
  const list = async () => (await panel.request('GET', '/api/mcp-keys', { as: admin })).data

  test('creates a key that is shown once, stores its hash, and records it', async () => {
    const { status, data } = await create({ user_id: admin.id })
    assert.equal(status, 200)
    assert.match(data.token, /^mcp_[0-9a-f]{64}$/)
    const { id, created_at: createdAt, ...key } = data.key
    assert.deepEqual(key, {
      user_id: admin.id,
      username: admin.email,
      name: 'mcp-key',
      key_prefix: data.token.slice(0, 12),
      scopes: [],
      rights_now: { state: 'active', is_superuser: true, permissions: permissionSlugs },
      read_only: false,
      approve: false,
      budget: {},
      enabled: true,
    })
    assert.ok(id > 0 && Date.parse(createdAt) > 0)
    const stored = await sql.raw(`select * from mcp_keys where id = ${id}`).execute(panel.store.db)
    assert.ok(!JSON.stringify(stored.rows).includes(data.token))
    const { data: entries } = await panel.request('GET', '/api/activity?action=mcp_key_created', {
      as: admin,
    })
    assert.equal(entries.items[0].user_id, admin.id)
    assert.ok(!JSON.stringify(entries).includes(data.token))
  })

  test('lists the keys of all owners, newest first, without the keys themselves', async () => {
    const owner = await panel.person({ username: 'ada' })
    const { data: first } = await create({ user_id: admin.id, name: 'first' })
    const { data: second } = await create({
      user_id: owner.id,
      name: 'second',
      scopes: ['websites_management'],
      read_only: true,
      expires_in_days: 7,
    })
    const keys = await list()
    assert.deepEqual(keys.slice(0, 2), [second.key, first.key])
    assert.equal(keys[0].username, 'ada')
    assert.deepEqual([keys[0].scopes, keys[0].read_only], [['websites_management'], true])
    const days = (Date.parse(keys[0].expires_at) - Date.parse(keys[0].created_at)) / 86_400_000
    assert.equal(days, 7)
    assert.equal('expires_at' in keys[1], false)
    assert.ok(!JSON.stringify(keys).includes(first.token) && !JSON.stringify(keys).includes('hash'))
  })

  test('shows what a key may do now: what its scopes allow of the rights that its owner has', async () => {
    const owner = await panel.person({ permissions: ['websites_management', 'plugins_management'] })
    const scopes = ['websites_management', 'administrative_operations']
    const made = await create({ user_id: owner.id, scopes })
    const limited = await create({ user_id: admin.id, scopes: ['websites_management'] })
    const now = async (id = made.data.key.id) => (await list()).find((key: any) => key.id === id).rights_now
    const active = { state: 'active', is_superuser: false }
    assert.deepEqual(await now(), { ...active, permissions: ['websites_management'] })
    const ofAdmin = { ...active, permissions: ['websites_management'] }
    assert.deepEqual(await now(limited.data.key.id), ofAdmin)
    const whole = await create({ user_id: admin.id, scopes: ['administrative_operations'] })
    assert.equal(whole.data.key.rights_now.is_superuser, true)
    const change = (method: string, path: string, body: object = {}) =>
      panel.request(method, path, { as: admin, body })
    await change('POST', `/api/users/${owner.id}/permissions`, { permissions: ['plugins_management'] })
    assert.deepEqual((await now()).permissions, [])
    await change('PATCH', `/api/users/${owner.id}`, { is_suspended: true })
    assert.equal((await now()).state, 'owner_suspended')
    await panel.store.db
      .updateTable('mcp_keys')
      .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
      .where('id', '=', made.data.key.id)
      .execute()
    assert.equal((await now()).state, 'expired')
    await change('POST', `/api/mcp-keys/${made.data.key.id}/toggle`)
    assert.equal((await now()).state, 'disabled')
  })

  test('drops unknown scopes, and refuses a list without a known one, which would allow everything', async () => {
    const { data } = await create({
      user_id: admin.id,
      scopes: ['nosuch', 'terminal_access', 'terminal_access'],
    })
    assert.deepEqual(data.key.scopes, ['terminal_access'])
    const { status, error } = await create({ user_id: admin.id, scopes: ['nosuch'] })
    assert.deepEqual([status, error.code], [400, 'bad_request'])
    assert.match(error.message, /^scopes: contains no permission/)
  })

  test('refuses a missing, wrong or unknown owner, and bad fields', async () => {
    for (const body of [{}, { user_id: 0 }, { user_id: -1 }, { user_id: '1' }, [], 'x', { user_id: 1.5 }])
      assert.deepEqual(shown(await create(body)), [400, 'bad_request'], JSON.stringify(body))
    const unknown = await create({ user_id: 999_999 })
    assert.deepEqual(shown(unknown), [404, 'not_found'])
    assert.equal(unknown.error.message, 'user_id: there is no user 999999')
    const unnamed = await create({ user_id: admin.id, scopes: [null] })
    assert.equal(unnamed.error.message, 'scopes.0: must be a permission slug')
    const wrong = { name: 'x'.repeat(101), scopes: 'all', read_only: 1, expires_in_days: 1e9 }
    for (const [field, value] of Object.entries(wrong)) {
      const answer = await create({ user_id: admin.id, [field]: value })
      assert.deepEqual(shown(answer), [400, 'bad_request'])
      assert.match(answer.error.message, new RegExp(`^${field}: must be`))
    }
    assert.equal((await create({ user_id: admin.id, expires_in_days: -3 })).data.key.expires_at, undefined)
  })

  test('disables and enables a key, and deletes it', async () => {
    const { data } = await create({ user_id: admin.id })
    const isEnabled = async () => (await list()).find(({ id }: { id: number }) => id === data.key.id)?.enabled
    const path = `/api/mcp-keys/${data.key.id}`
    const off = await panel.request('POST', `${path}/toggle`, { as: admin })
    assert.deepEqual([off.status, off.data, await isEnabled()], [200, { success: true }, false])
    await panel.request('POST', `${path}/toggle`, { as: admin })
    assert.equal(await isEnabled(), true)
    const gone = await panel.request('DELETE', path, { as: admin })
    assert.deepEqual([gone.status, gone.data, await isEnabled()], [200, { success: true }, undefined])
    assert.deepEqual(shown(await panel.request('DELETE', path, { as: admin })), [404, 'not_found'])
    assert.deepEqual(shown(await panel.request('POST', `${path}/toggle`, { as: admin })), [404, 'not_found'])
    assert.deepEqual(shown(await panel.request('DELETE', '/api/mcp-keys/x', { as: admin })), [
      400,
      'bad_request',
    ])
  })

  test('lists the permissions as scopes', async () => {
    const { status, data } = await panel.request('GET', '/api/mcp-keys/scopes', { as: admin })
    assert.equal(status, 200)
    assert.deepEqual(data[0], { value: 'websites_management', title: 'Manage websites and their files' })
  })

  test('names the failures of the store', async () => {
    await sql.raw('alter table mcp_keys rename to away').execute(panel.store.db)
    const listed = await panel.request('GET', '/api/mcp-keys', { as: admin })
    const created = await create({ user_id: admin.id })
    await sql.raw('alter table away rename to mcp_keys').execute(panel.store.db)
    assert.deepEqual(shown(listed), [500, 'list_failed'])
    assert.deepEqual(shown(created), [500, 'create_failed'])
  })

  test('deletes the keys of a user who is deleted', async () => {
    const owner = await panel.person()
    const { data } = await create({ user_id: owner.id })
    const plan = await panel.request('DELETE', `/api/users/${owner.id}?plan=1`, { as: admin })
    assert.ok(JSON.stringify(plan.data).includes('1 MCP key is deleted'))
    await panel.request('DELETE', `/api/users/${owner.id}`, { as: admin })
    assert.ok((await list()).every(({ id }: { id: number }) => id !== data.key.id))
  })

  test('is for superusers, while the plugin is enabled', async () => {
    const other = await panel.person({ permissions: ['plugins_management', 'booting_users_management'] })
    const paths = ['GET ', 'POST ', 'GET /scopes', 'GET /tls', 'GET /tls/download', 'POST /tls/regenerate']
    const ofPlans = [
      'GET /approvals',
      'GET /approvals/1',
      'POST /approvals/1/approve',
      'POST /approvals/1/reject',
    ]
    for (const line of [...paths, ...ofPlans, 'DELETE /1', 'POST /1/toggle']) {
      const [method = '', path = ''] = line.split(' ')
      const refused = await panel.request(method, `/api/mcp-keys${path}`, { as: other })
      assert.deepEqual(shown(refused), [403, 'forbidden'], line)
    }
    await panel.request('POST', '/api/plugins/mcp/disable', { as: admin })
    assert.deepEqual(shown(await panel.request('GET', '/api/mcp-keys', { as: admin })), [
      403,
      'plugin_disabled',
    ])
    await panel.request('POST', '/api/plugins/mcp/enable', { as: admin })
  })
})

const shown = ({ status, error }: { status: number; error: { code: string } }) => [status, error?.code]
