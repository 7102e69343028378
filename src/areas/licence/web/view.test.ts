import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PanelLicence } from '../model.ts'
import { viewOf } from './view.ts'

const license = {
  key: 'KEY-••••••••9012',
  host: 'web1.example.com',
  tier: 'gold',
  status: 'active',
  expires_at: '2099-01-01T00:00:00.000Z',
  max_websites: 5,
  blocked: false,
}
const features = { mailbox_backup: false, clusters: true }
const active: PanelLicence = { license, features, in_force: true, max_websites: 5, can_activate: true }

describe('the page of the licence', () => {
  test('shows what a licence in force grants, features by name', () => {
    const { state, facts, features: shown } = viewOf(active)
    assert.equal(state, 'active')
    assert.deepEqual(facts, [
      { term: 'Key', text: 'KEY-••••••••9012' },
      { term: 'Tier', text: 'Gold' },
      { term: 'Host', text: 'web1.example.com' },
      { term: 'Expires', time: '2099-01-01T00:00:00.000Z' },
      { term: 'Websites', text: 'At most 5' },
    ])
    assert.deepEqual(shown, [
      { name: 'clusters', isAvailable: true },
      { name: 'mailbox_backup', isAvailable: false },
    ])
  })

  test('shows no feature as available unless the licence is in force', () => {
    for (const [draft, state] of [
      [{ status: 'expired' }, 'expired'],
      [{ blocked: true }, 'blocked'],
      [{ status: 'suspended' }, 'suspended'],
    ] as const) {
      const view = viewOf({ ...active, license: { ...license, ...draft }, in_force: false })
      assert.equal(view.state, state)
      assert.match(view.meaning, new RegExp(`^The licence is ${state}: `))
      assert.ok(view.features.every(({ isAvailable }) => !isAvailable))
    }
  })

  test('shows the limit of the configuration where there is no licence', () => {
    const none = { license: null, features: {}, in_force: false, can_activate: false }
    assert.deepEqual(viewOf({ ...none, max_websites: 0 }).facts, [{ term: 'Websites', text: 'At most 0' }])
    const { state, facts, features: shown } = viewOf({ ...none, max_websites: null })
    assert.deepEqual([state, facts, shown], ['none', [{ term: 'Websites', text: 'Any number' }], []])
  })
})
