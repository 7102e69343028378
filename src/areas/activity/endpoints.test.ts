import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'

describe('activity', () => {
  let panel: TestPanel
  let keeper: Person
  before(async () => {
    panel = await openTestPanel()
    keeper = await panel.person({ permissions: ['plugins_management'] })
    for (const verb of ['disable', 'enable', 'disable', 'enable', 'disable'])
      await panel.request('POST', `/api/plugins/uptime/${verb}`, { as: keeper })
    await panel.request('POST', '/api/plugins/mcp/enable', { as: panel.admin })
  })
  after(() => panel.close())

  const list = (query = '', as = panel.admin) => panel.request('GET', `/api/activity${query}`, { as })
  const actions = (items: readonly { action: string }[]) => items.map(({ action }) => action)

  test('lists actions, newest first, with the user, the request and the address', async () => {
    const { status, data } = await list()
    assert.deepEqual([status, data.items.length, data.next_cursor], [200, 6, null])
    const { id, ip, request_id, duration_ms, created_at, ...entry } = data.items[0]
    assert.deepEqual(entry, {
      action: 'plugins_enable_plugin',
      title: 'Enable a plugin: its area answers again',
      user_email: panel.admin.email,
      user_id: panel.admin.id,
      key_id: null,
      mcp_key_id: null,
      method: 'POST',
      path: '/api/plugins/mcp/enable',
      request: { params: { name: 'mcp' } },
      status: 'ok',
      message: 'Enable plugin mcp',
      undo_refusal: null,
    })
    assert.ok(
      id === 6 &&
        ip.startsWith('10.99.') &&
        request_id.length > 5 &&
        duration_ms >= 0 &&
        Date.parse(created_at) > 0,
    )
  })

  test('continues after a page by its cursor', async () => {
    const first = await list('?limit=4')
    const second = await list(`?limit=4&cursor=${first.data.next_cursor}`)
    assert.deepEqual(
      [first.data.items.length, second.data.items.length, second.data.next_cursor],
      [4, 2, null],
    )
    assert.equal(
      new Set([...first.data.items, ...second.data.items].map(({ id }: { id: number }) => id)).size,
      6,
    )
  })

  test('filters by action, user, status, text and time', async () => {
    const total = async (query: string) => (await list(query)).data.items.length
    assert.deepEqual(
      [
        await total('?action=plugins_disable_plugin'),
        await total(`?user_id=${keeper.id}`),
        await total('?area=plugins'),
        await total('?area=websites'),
        await total('?status=failed'),
        await total('?search=mcp'),
      ],
      [3, 5, 6, 0, 0, 1],
    )
    assert.deepEqual(
      [await total('?from=2020-01-01T00:00:00Z'), await total('?to=2020-01-01T00:00:00Z')],
      [6, 0],
    )
  })

  for (const query of ['limit=501', 'cursor=x', 'status=nosuch', 'from=yesterday', 'user_id=me']) {
    test(`refuses ${query}, naming the field`, async () => {
      const { status, error } = await list(`?${query}`)
      assert.deepEqual([status, error.code], [400, 'bad_request'])
      assert.match(error.message, new RegExp(`^${query.split('=')[0]}: must be `))
    })
  }

  test('shows all users their own actions, and no others', async () => {
    const { data } = await panel.request('GET', `/api/activity/mine?user_id=${panel.admin.id}`, {
      as: keeper,
    })
    assert.deepEqual(actions(data.items), [
      'plugins_disable_plugin',
      'plugins_enable_plugin',
      'plugins_disable_plugin',
      'plugins_enable_plugin',
      'plugins_disable_plugin',
    ])
  })

  test('exports matching entries as JSON lines for download', async () => {
    const { status, headers, text } = await list('/export?action=plugins_enable_plugin')
    assert.deepEqual([status, headers['content-type']], [200, 'application/x-ndjson'])
    assert.match(String(headers['content-disposition']), /^attachment; filename="activity\.jsonl"/)
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(actions(lines), [
      'plugins_enable_plugin',
      'plugins_enable_plugin',
      'plugins_enable_plugin',
    ])
    assert.ok(lines.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash)))
  })

  test('verifies the chain, and reports the first changed entry', async () => {
    assert.deepEqual((await list('/verify')).data, { ok: true, checked: 6, from: 1, to: 6 })
    await panel.store.db
      .updateTable('activity')
      .set({ message: 'nothing happened' })
      .where('id', '=', 3)
      .execute()
    assert.deepEqual((await list('/verify')).data, {
      ok: false,
      broken_at: 3,
      reason: 'this row is not as it was written',
    })
    await panel.store.db
      .updateTable('activity')
      .set({ message: 'Disable plugin uptime' })
      .where('id', '=', 3)
      .execute()
    assert.equal((await list('/verify')).data.ok, true)
  })

  test('reads one entry, to its author and to superusers only', async () => {
    const stranger = await panel.person({ permissions: ['plugins_management'] })
    const read = (id: string, as: Person) => panel.request('GET', `/api/activity/${id}`, { as })
    for (const as of [keeper, panel.admin]) {
      const { status, data } = await read('1', as)
      assert.deepEqual(
        [status, data.action, data.user_email, data.steps],
        [200, 'plugins_disable_plugin', keeper.email, []],
      )
    }
    assert.deepEqual([(await read('1', stranger)).status, (await read('6', keeper)).status], [404, 404])
    assert.equal((await read('999', panel.admin)).error.code, 'not_found')
    assert.match((await read('first', panel.admin)).error.message, /^id: must be /)
    assert.equal((await panel.request('GET', '/api/activity/1')).error.code, 'unauthorized')
  })

  test('lists the actions that an entry can have, with title and area', async () => {
    const { status, data } = await panel.request('GET', '/api/activity/actions', { as: keeper })
    const found = data.find(({ action }: { action: string }) => action === 'plugins_disable_plugin')
    assert.deepEqual([status, found?.area], [200, 'plugins'])
    assert.equal(new Set(actions(data)).size, data.length)
    assert.equal((await panel.request('GET', '/api/activity/actions')).error.code, 'unauthorized')
  })

  test('is for superusers, except one’s own entries, which every signed-in user may read', async () => {
    for (const path of ['', '/export', '/verify']) {
      assert.equal((await list(path, keeper)).error.code, 'forbidden')
      assert.equal((await panel.request('GET', `/api/activity${path}`)).error.code, 'unauthorized')
    }
    assert.equal((await panel.request('GET', '/api/activity/mine')).error.code, 'unauthorized')
  })
})
