import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'

describe('the websites of a user', () => {
  let panel: TestPanel
  let person: Person
  before(async () => {
    panel = await openTestPanel()
    person = await panel.person()
    const at = new Date().toISOString()
    for (const [id, user_id] of [
      [1, person.id],
      [2, panel.admin.id],
    ] as const)
      await panel.store.db
        .insertInto('websites')
        .values({
          id,
          domain: `site-${id}.example.com`,
          user_id,
          username: 'ada',
          type: 'static',
          root: '/home/ada/sites/x/public',
          is_suspended: 0,
          certificate: null,
          https_redirect: 0,
          hsts: 0,
          created_at: at,
          updated_at: at,
          revision: 1,
        })
        .execute()
  })
  after(() => panel.close())

  test('are listed, those of others are not, and an unknown user is 404', async () => {
    const asked = { as: panel.admin }
    const { data } = await panel.request('GET', `/api/users/${person.id}/webapps`, asked)
    assert.deepEqual(data, [
      {
        id: 1,
        domain: 'site-1.example.com',
        type: 'static',
        root: '/home/ada/sites/x/public',
        is_suspended: false,
      },
    ])
    assert.equal((await panel.request('GET', '/api/users/999/webapps', asked)).error.code, 'not_found')
  })

  test('whose account is gone are left as they are, and the reply and the plan say so', async () => {
    const path = `/api/users/${person.id}/rewrite-configs`
    const { status, text } = await panel.request('POST', path, { as: panel.admin })
    assert.deepEqual(
      [status, JSON.parse(text)],
      [200, { success: true, message: 'All files are as the panel wants them; 1 left as they are' }],
    )
    const { data } = await panel.request('POST', `${path}?plan=1`, { as: panel.admin })
    assert.match(data.details[0], /^site-1\.example\.com stays as it is: The Linux account ada/)
    const unknown = await panel.request('POST', '/api/users/999/rewrite-configs', { as: panel.admin })
    assert.equal(unknown.error.code, 'not_found')
  })
})
