import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import type { ScriptedAccount } from '../../host/testing/scripted-host.ts'

describe('deleting users', { timeout: 300_000 }, () => {
  let panel: TestPanel
  let keeper: Person
  const accounts = new Map<string, ScriptedAccount>([['ada', { uid: 1000 }]])
  const locking = (argv: readonly string[]) =>
    argv[0] === 'usermod' && argv.at(-1) === 'stuck'
      ? { code: 1, stderr: 'usermod: cannot lock /etc/passwd; try again later.' }
      : undefined
  before(async () => {
    panel = await openTestPanel({ accounts, scripts: [locking] })
    await panel.start()
    keeper = await panel.person({ permissions: ['booting_users_management'] })
  })
  after(() => panel.close())

  const remove = (uid: number | string, query = '', as: Person = panel.admin) =>
    panel.request('DELETE', `/api/users/${uid}${query}`, { as })
  const rowsOf = async (table: 'sessions' | 'api_keys' | 'user_permissions', user_id: number) =>
    (await panel.store.db.selectFrom(table).selectAll().where('user_id', '=', user_id).execute()).length

  test('lists in the plan what each area has of the user, and changes nothing', async () => {
    const person = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    await panel.request('POST', `/api/users/${person.id}/api-keys`, { as: panel.admin, body: { name: 'x' } })
    await addSite(panel, person, 'ada.example.com')
    const { data } = await remove(person.id, '?plan=1')
    assert.equal(data.summary, `Delete user ${person.email}; the Linux account is locked and its files stay`)
    assert.deepEqual(data.details, [
      '1 API key is deleted',
      '1 session ends',
      'The website ada.example.com is deleted; its logs are kept for a while',
    ])
    assert.match(data.steps.at(-1).title, /^Lock the Linux account ada/)
    assert.equal((await panel.request('GET', '/api/auth/me', { as: person })).status, 200)
    await panel.store.db.deleteFrom('websites').where('user_id', '=', person.id).execute()
    await panel.store.db.deleteFrom('users').where('id', '=', person.id).execute()
  })

  test('locks the account, ends sessions and keys at once, and records user_deleted with the address', async () => {
    accounts.set('ben', { uid: 1001, hash: '$y$secret' })
    const person = await panel.person({ username: 'ben', permissions: ['websites_management'] })
    const { status, data } = await remove(person.id, '', keeper)
    assert.deepEqual([status, data], [200, { success: true, archive: null }])
    assert.deepEqual(accounts.get('ben'), {
      uid: 1001,
      hash: '!$y$secret',
      shell: '/usr/sbin/nologin',
      expires: '1',
    })
    assert.equal((await panel.request('GET', '/api/auth/me', { as: person })).error.code, 'unauthorized')
    for (const table of ['sessions', 'api_keys', 'user_permissions'] as const)
      assert.equal(await rowsOf(table, person.id), 0)
    const [entry] = (await panel.request('GET', '/api/activity?limit=1', { as: panel.admin })).data.items
    assert.deepEqual([entry.action, entry.user_id, entry.status], ['user_deleted', keeper.id, 'ok'])
    assert.ok(entry.ip)
    assert.equal((await remove(person.id)).error.code, 'not_found')
  })

  test('archives no home if the panel has no data directory, and deletes nothing then', async () => {
    accounts.set('cleo', { uid: 1002 })
    const person = await panel.person({ username: 'cleo' })
    assert.equal((await remove(person.id, '?files=archive')).status, 503)
    assert.equal((await panel.request('GET', '/api/auth/me', { as: person })).status, 200)
  })

  test('deletes a user without an account, or whose account is gone, in the panel alone', async () => {
    for (const username of [undefined, 'vanished']) {
      const person = await panel.person(username === undefined ? {} : { username })
      assert.equal((await remove(person.id, '?files=remove')).status, 200)
      assert.equal((await panel.request('GET', `/api/users/${person.id}`, { as: panel.admin })).status, 404)
    }
  })

  test('refuses oneself, superusers to others, unknown ids and choices', async () => {
    const boss = await panel.person({ isAdmin: true })
    for (const [uid, as, status, code] of [
      [panel.admin.id, panel.admin, 400, 'bad_request'],
      [keeper.id, keeper, 400, 'bad_request'],
      [boss.id, keeper, 403, 'forbidden'],
      [999_999, keeper, 404, 'not_found'],
      ['0x10', keeper, 400, 'bad_request'],
      [-1, keeper, 400, 'bad_request'],
      [`${keeper.id}?files=burn`, panel.admin, 400, 'bad_request'],
      [keeper.id, await panel.person(), 403, 'forbidden'],
    ] as const) {
      const answer = await remove(uid, '', as)
      assert.deepEqual([answer.status, answer.error.code], [status, code], String(uid))
    }
  })

  test('answers delete_failed with the message of the host, and keeps the user', async () => {
    accounts.set('stuck', { uid: 1003 })
    const person = await panel.person({ username: 'stuck' })
    const { status, error } = await remove(person.id)
    assert.deepEqual([status, error.code], [500, 'delete_failed'])
    assert.match(error.message, /cannot lock \/etc\/passwd/)
    assert.equal((await panel.request('GET', '/api/auth/me', { as: person })).status, 200)
  })
})

/** A row alone: that its file is removed is tested with the real nginx. */
async function addSite({ store }: TestPanel, { id }: Person, domain: string): Promise<void> {
  const at = new Date().toISOString()
  await store.db
    .insertInto('websites')
    .values({
      id: store.nextId('websites'),
      domain,
      user_id: id,
      username: 'ada',
      type: 'static',
      root: `/home/ada/sites/${domain}/public`,
      is_suspended: 0,
      certificate: null,
      https_redirect: 0,
      hsts: 0,
      created_at: at,
      updated_at: at,
      revision: 1,
    })
    .execute()
}
