import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { missing } from '../../host/testing/scripted-run.ts'

describe('dnslb without dnsdist', () => {
  let panel: TestPanel
  before(async () => void (panel = await openTestPanel({ scripts: [missing('dnsdist')] })))
  after(() => panel.close())

  for (const path of [
    'status',
    'stats',
    'blocked-names',
    'config',
    'servers',
    'address-lists',
    'domain-lists',
    'rules',
  ])
    it(`reads ${path}`, async () => {
      const { status, error } = await panel.request('GET', `/api/dnslb/${path}`, { as: panel.admin })
      assert.equal(status, 200, error?.message)
    })
})
