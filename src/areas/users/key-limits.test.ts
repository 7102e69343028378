import assert from 'node:assert/strict'
import { after, before, describe, mock, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'

const hour = 3_600_000
const inHours = (count: number) => new Date(Date.now() + count * hour).toISOString()

describe('an API key with limits', () => {
  let panel: TestPanel
  let ada: Person
  before(async () => {
    panel = await openTestPanel({ accounts: new Map([['robot', { uid: 1001 }]]) })
    ada = await panel.person({ permissions: ['websites_management', 'plugins_management'] })
  })
  after(() => panel.close())

  const create = (body: Record<string, unknown>, as: Person | string = ada) =>
    panel.request('POST', '/api/auth/api-keys', { as, body: { name: 'robot', ...body } })
  const keyOf = async (body: Record<string, unknown>, as?: Person): Promise<string> => {
    const { status, data, text } = await create(body, as)
    assert.equal(status, 200, text)
    return data.key
  }
  const statusOf = async (key: string, path = '/api/auth/me', address?: string) =>
    (await panel.request('GET', path, { as: key, ...(address && { ip: address }) })).status

  test('is listed with them', async () => {
    const expires_at = inHours(1)
    const limits = {
      expires_at,
      allowed_addresses: ['192.0.2.0/24'],
      permissions: ['websites_management', 'no_such'],
    }
    await keyOf(limits)
    const [key] = (await panel.request('GET', '/api/auth/api-keys', { as: ada })).data.keys
    assert.deepEqual(
      [key.expires_at, key.allowed_addresses, key.permissions],
      [expires_at, ['192.0.2.0/24'], ['websites_management']],
    )
    await keyOf({ allowed_addresses: ['::FFFF:192.0.2.0/120', '::ffff:c633:6407'] })
    const [mapped] = (await panel.request('GET', '/api/auth/api-keys', { as: ada })).data.keys
    assert.deepEqual(mapped.allowed_addresses, ['192.0.2.0/24', '198.51.100.7'])
    await keyOf({})
    const [free] = (await panel.request('GET', '/api/auth/api-keys', { as: ada })).data.keys
    assert.deepEqual([free.expires_at, free.allowed_addresses, free.permissions], [null, null, null])
  })

  test('ends at its time', async (t) => {
    const key = await keyOf({ expires_at: inHours(1) })
    assert.equal(await statusOf(key), 200)
    mock.timers.enable({ apis: ['Date'], now: Date.now() + hour + 1000 })
    t.after(() => mock.timers.reset())
    assert.equal(await statusOf(key), 401)
  })

  test('is refused from other addresses', async () => {
    const key = await keyOf({ allowed_addresses: ['192.0.2.0/24', '2001:db8::7'] })
    for (const address of ['192.0.2.9', '::ffff:192.0.2.9', '2001:db8::7'])
      assert.equal(await statusOf(key, '/api/auth/me', address), 200, address)
    for (const address of ['192.0.3.9', '::ffff:192.0.3.9', '2001:db8::8', '64:ff9b::c000:209'])
      assert.equal(await statusOf(key, '/api/auth/me', address), 401, address)
  })

  test('has no more permissions than it was given, and than its user has', async () => {
    const key = await keyOf({ permissions: ['plugins_management', 'booting_users_management'] })
    assert.equal(await statusOf(key, '/api/plugins'), 200)
    assert.equal(await statusOf(key, '/api/websites'), 403)
    assert.equal(await statusOf(key, '/api/users'), 403)
    const permissions = `/api/users/${ada.id}/permissions`
    await panel.request('POST', permissions, {
      as: panel.admin,
      body: { permissions: ['websites_management'] },
    })
    assert.equal(await statusOf(key, '/api/plugins'), 403, 'what the user loses, the key loses')
    const body = { permissions: ['websites_management', 'plugins_management'] }
    await panel.request('POST', permissions, { as: panel.admin, body })
    assert.equal(await statusOf(key, '/api/plugins'), 200)
  })

  test('of a superuser is none with a list of permissions', async () => {
    const key = await keyOf({ permissions: ['booting_users_management'] }, panel.admin)
    assert.equal(await statusOf(key, '/api/users'), 200)
    assert.equal(await statusOf(key, '/api/programs'), 403)
    const edit = { as: key, body: { is_admin: true } }
    assert.equal((await panel.request('PATCH', `/api/users/${ada.id}`, edit)).status, 403)
    assert.equal(await statusOf(await keyOf({ permissions: [] }, panel.admin), '/api/users'), 403)
  })

  test('creates no keys, which would have no limits', async () => {
    for (const limits of [
      { permissions: ['websites_management', 'plugins_management'] },
      { allowed_addresses: ['0.0.0.0/0', '::/0'] },
      { expires_at: inHours(1) },
    ]) {
      const { status, error } = await create({}, await keyOf(limits))
      assert.deepEqual([status, error.code], [403, 'forbidden'], JSON.stringify(limits))
    }
    assert.equal((await create({}, await keyOf({}))).status, 200)
  })

  test('does not change the account of its user, by which it could free itself', async () => {
    const as = await keyOf({ permissions: ['websites_management', 'plugins_management'] })
    const requests = [
      ['PATCH', '/api/auth/me', { fullname: 'Robot' }],
      ['DELETE', '/api/auth/api-keys/1', undefined],
      ['POST', '/api/auth/otp/setup', { password: 'a long enough password' }],
      ['POST', `/api/users/${ada.id}/ssh-keys`, { public_key: 'ssh-ed25519 AAAA' }],
    ] as const
    const robot = await panel.person({ username: 'robot', permissions: ['websites_management'] })
    const limited = await keyOf({ permissions: ['websites_management'] }, robot)
    for (const [method, path, body] of requests) {
      const isSsh = path.endsWith('ssh-keys')
      const answer = await panel.request(method, isSsh ? `/api/users/${robot.id}/ssh-keys` : path, {
        as: isSsh ? limited : as,
        ...(body && { body }),
      })
      assert.deepEqual([answer.status, answer.error?.code], [403, 'forbidden'], path)
      assert.match(answer.error.message, /This key is limited/, path)
    }
  })

  test('is not created with limits that are none', async () => {
    const bad: Record<string, unknown>[] = [
      { expires_at: inHours(-1) },
      { expires_at: inHours(24 * 366 * 11) },
      { expires_at: 'tomorrow' },
      { expires_at: 5 },
      { allowed_addresses: [] },
      { allowed_addresses: ['example.com'] },
      { allowed_addresses: ['192.0.2.0/33'] },
      { allowed_addresses: ['192.0.2.0/'] },
      { allowed_addresses: ['::1%lo'] },
      { allowed_addresses: ['::FFFF:192.0.2.0/129'] },
      { allowed_addresses: '192.0.2.1' },
      { allowed_addresses: Array.from({ length: 101 }, () => '192.0.2.1') },
      { permissions: 'websites_management' },
      { permissions: [5] },
    ]
    for (const body of bad) {
      const { status, error } = await create(body)
      assert.deepEqual([status, error.code], [400, 'bad_request'], JSON.stringify(body))
      assert.match(error.message, new RegExp(`^${Object.keys(body)[0]}`))
    }
  })
})
