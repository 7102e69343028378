import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'

describe('a key that another user made', () => {
  let panel: TestPanel
  let keeper: Person
  before(async () => {
    panel = await openTestPanel()
    keeper = await panel.person({ permissions: ['booting_users_management', 'websites_management'] })
  })
  after(() => panel.close())

  /** A user with a key of the keeper, and one of their own. */
  const withKeys = async () => {
    const person = await panel.person({ permissions: ['websites_management'] })
    const make = async (as: Person, path: string, name: string): Promise<string> =>
      (await panel.request('POST', path, { as, body: { name } })).data.key
    return {
      person,
      planted: await make(keeper, `/api/users/${person.id}/api-keys`, 'planted'),
      own: await make(person, '/api/auth/api-keys', 'own'),
    }
  }
  const works = async (as: string) => (await panel.request('GET', '/api/auth/me', { as })).status === 200

  for (const [title, method, path, body] of [
    ['becomes a superuser', 'PATCH', '', { is_admin: true }],
    [
      'gets a permission',
      'POST',
      '/permissions',
      { permissions: ['websites_management', 'terminal_access'] },
    ],
  ] as const)
    test(`ends when its user ${title}, as the plan says; their own one stays`, async () => {
      const { person, planted, own } = await withKeys()
      const change = (query = '') =>
        panel.request(method, `/api/users/${person.id}${path}${query}`, { as: panel.admin, body })
      assert.match(
        JSON.stringify((await change('?plan=1')).data),
        /The API key planted, which another user made/,
      )
      assert.deepEqual([await works(planted), await works(own)], [true, true])
      assert.equal((await change()).status, 200)
      assert.deepEqual([await works(planted), await works(own)], [false, true])
    })

  test('stays when its user loses a permission', async () => {
    const { person, planted } = await withKeys()
    const body = { permissions: [] }
    await panel.request('POST', `/api/users/${person.id}/permissions`, { as: panel.admin, body })
    assert.equal(await works(planted), true)
  })

  test('a suspension ends the sessions for good', async () => {
    const person = await panel.person()
    for (const is_suspended of [true, false])
      await panel.request('PATCH', `/api/users/${person.id}`, { as: panel.admin, body: { is_suspended } })
    assert.equal(await works(person.token), false)
  })
})
