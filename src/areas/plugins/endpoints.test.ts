import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { isOnPostgres } from '../../store/testing/open-test-store.ts'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'

describe('plugins', () => {
  let panel: TestPanel
  let keeper: Person
  before(async () => {
    panel = await openTestPanel()
    keeper = await panel.person({ permissions: ['plugins_management'] })
  })
  after(() => panel.close())

  test('lists every plugin of the contract, enabled on a fresh install', async () => {
    const { status, data } = await panel.request('GET', '/api/plugins', { as: keeper })
    assert.equal(status, 200)
    const names = data.map(({ name }: { name: string }) => name)
    assert.deepEqual(names.toSorted(), [
      'authdns',
      'containers',
      'logstore',
      'mailbox-backup',
      'mcp',
      'nettools',
      'uptime',
      'vpn-gateway',
      'webacl',
    ])
    assert.ok(data.every(({ enabled }: { enabled: boolean }) => enabled))
  })

  test('disables a plugin and enables it again, and records both', async () => {
    const off = await panel.request('POST', '/api/plugins/uptime/disable', { as: keeper })
    assert.deepEqual([off.status, off.data], [200, { success: true }])
    assert.equal(await isEnabled('uptime'), false)
    await panel.request('POST', '/api/plugins/uptime/enable', { as: keeper })
    assert.equal(await isEnabled('uptime'), true)
    const { data } = await panel.request('GET', '/api/activity', { as: panel.admin })
    assert.deepEqual(
      data.items.slice(0, 2).map((row: any) => [row.action, row.user_id, row.status]),
      [
        ['plugins_enable_plugin', keeper.id, 'ok'],
        ['plugins_disable_plugin', keeper.id, 'ok'],
      ],
    )
  })

  const ofSqlite = { skip: isOnPostgres && 'makes SQLite read-only' }
  test(
    'answers 503 that names the cause while the store is read-only, and changes again after it',
    ofSqlite,
    async () => {
      const setReadOnly = (is: 'on' | 'off') => sql.raw(`pragma query_only = ${is}`).execute(panel.store.db)
      await setReadOnly('on')
      const { status, error } = await panel.request('POST', '/api/plugins/uptime/disable', { as: keeper })
      const read = await panel.request('GET', '/api/plugins', { as: keeper })
      await setReadOnly('off')
      assert.deepEqual([status, error.code, read.status], [503, 'unavailable', 200])
      assert.match(
        error.message,
        /^the store is read-only: make the disk that holds the data directory writable/,
      )
      assert.equal((await panel.request('POST', '/api/plugins/uptime/disable', { as: keeper })).status, 200)
      assert.equal((await panel.request('POST', '/api/plugins/uptime/enable', { as: keeper })).status, 200)
    },
  )

  test('shows the plan of disabling a plugin without executing it', async () => {
    const { status, data } = await panel.request('POST', '/api/plugins/mcp/disable?plan=1', { as: keeper })
    assert.equal(status, 200)
    assert.deepEqual([data.effect, data.summary, data.steps], ['changes', 'Disable plugin mcp', []])
    assert.equal(await isEnabled('mcp'), true)
  })

  test('answers 404 for a plugin that does not exist', async () => {
    for (const verb of ['enable', 'disable']) {
      const { status, error } = await panel.request('POST', `/api/plugins/nosuch/${verb}`, { as: keeper })
      assert.deepEqual(
        [status, error.code, error.message],
        [404, 'not_found', 'name: there is no plugin nosuch'],
      )
    }
  })

  test('refuses a name that is too long', async () => {
    const { status, error } = await panel.request('POST', `/api/plugins/${'x'.repeat(51)}/enable`, {
      as: keeper,
    })
    assert.deepEqual([status, error.code], [400, 'bad_request'])
    assert.match(error.message, /^name: must be/)
  })

  test('requires the permission before revealing if the plugin exists', async () => {
    const other = await panel.person({ permissions: ['websites_management'] })
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/nosuch/enable'],
      ['POST', '/mcp/disable'],
    ]) {
      const refused = await panel.request(method as string, `/api/plugins${path}`, { as: other })
      assert.deepEqual([refused.status, refused.error.code], [403, 'forbidden'])
      const unknown = await panel.request(method as string, `/api/plugins${path}`)
      assert.deepEqual(
        [unknown.status, unknown.error.code, unknown.headers['www-authenticate']],
        [401, 'unauthorized', 'Bearer'],
      )
    }
  })

  const isEnabled = async (name: string): Promise<boolean> => {
    const { data } = await panel.request('GET', '/api/plugins', { as: keeper })
    return data.find((plugin: { name: string }) => plugin.name === name).enabled
  }
})
