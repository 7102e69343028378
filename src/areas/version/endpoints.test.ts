import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'

describe('version', () => {
  let panel: TestPanel
  before(async () => void (panel = await openTestPanel()))
  after(() => panel.close())

  test('tells the version to a valid credential, also with a slash at the end', async () => {
    const person = await panel.person()
    for (const path of ['/api/version', '/api/version/']) {
      const { status, json } = await panel.request('GET', path, { as: person })
      assert.deepEqual([status, json], [200, { data: { version: '0.0.0-test' } }])
    }
  })

  test('tells nobody in particular only that it is there', async () => {
    const { status, json } = await panel.request('GET', '/api/version')
    assert.deepEqual([status, json], [200, { data: {} }])
  })

  test('refuses a credential that is not valid, so that a peer notices a wrong key', async () => {
    for (const authorization of ['Bearer bap_wrong', 'Bearer', 'Basic YTpi', `Bearer ${'x'.repeat(9000)}`]) {
      const { status, error } = await panel.request('GET', '/api/version', { headers: { authorization } })
      assert.deepEqual([status, error.code], [401, 'unauthorized'])
    }
  })
})
