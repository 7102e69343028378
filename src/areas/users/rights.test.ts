import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'

const targets = ['superuser', 'stronger', 'plain'] as const
const requests = {
  'change the name': ['PATCH', '', { fullname: 'New Name' }],
  suspend: ['PATCH', '', { is_suspended: true }],
  'make a superuser': ['PATCH', '', { is_admin: true }],
  'reset the password': ['PATCH', '', { password: 'another long password' }],
  'create a key': ['POST', '/api-keys', { name: 'of mine' }],
  'delete a key': ['DELETE', '/api-keys/999', undefined],
  'grant what the caller has': ['POST', '/permissions', { permissions: ['booting_users_management'] }],
  'grant what the caller has not': ['POST', '/permissions', { permissions: ['terminal_access'] }],
  'read permissions': ['GET', '/permissions', undefined],
  delete: ['DELETE', '', undefined],
} as const
type Action = keyof typeof requests

/** What a caller with booting_users_management alone gets for a superuser, a user with further permissions, and one without any. */
const keeperGets: Readonly<Record<Action, readonly [number, number, number]>> = {
  'change the name': [403, 200, 200],
  suspend: [403, 200, 200],
  'make a superuser': [403, 403, 403],
  'reset the password': [403, 403, 200],
  'create a key': [403, 403, 200],
  'delete a key': [403, 200, 200],
  'grant what the caller has': [403, 200, 200],
  'grant what the caller has not': [403, 403, 403],
  'read permissions': [200, 200, 200],
  delete: [403, 200, 200],
}
const always = (status: number) => [status, status, status] as const

describe('the rights over users', { timeout: 300_000 }, () => {
  let panel: TestPanel
  const callers = new Map<string, string>()
  before(async () => {
    panel = await openTestPanel()
    await panel.start()
    const keeper = await panel.person({ permissions: ['booting_users_management'] })
    const key = await panel.request('POST', `/api/users/${keeper.id}/api-keys`, {
      as: panel.admin,
      body: { name: 'script' },
    })
    callers
      .set('superuser', panel.admin.token)
      .set('keeper', keeper.token)
      .set('key of a keeper', key.data.key)
    callers.set('plain user', (await panel.person({ permissions: ['websites_management'] })).token)
  })
  after(() => panel.close())

  const made: Readonly<Record<(typeof targets)[number], () => Promise<Person>>> = {
    superuser: () => panel.person({ isAdmin: true }),
    stronger: () => panel.person({ permissions: ['administrative_operations'] }),
    plain: () => panel.person(),
  }

  const isAction = (name: string): name is Action => name in requests
  for (const action of Object.keys(requests).filter(isAction)) {
    const expected = {
      superuser: always(200),
      keeper: keeperGets[action],
      'key of a keeper': keeperGets[action],
      'plain user': always(403),
    }
    for (const [caller, statuses] of Object.entries(expected))
      test(`${action}, as ${caller}: ${statuses.join(', ')}`, async () => {
        const [method, path, body] = requests[action]
        for (const [index, target] of targets.entries()) {
          const { id } = await made[target]()
          const asked = { as: callers.get(caller) ?? '', ...(body && { body }) }
          const { status, error } = await panel.request(method, `/api/users/${id}${path}`, asked)
          assert.equal(status, statuses[index], target)
          if (status === 403) assert.equal(error.code, 'forbidden')
        }
      })
  }
})
