import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'

describe('domains and aliases', () => {
  let panel: TestPanel
  before(async () => {
    panel = await openTestPanel({ hasNginx: true, accounts: new Map([['ada', { uid: 1001 }]]) })
    await panel.person({ username: 'ada' })
  })
  after(() => panel.close())

  const plan = async (domain: string, aliases: readonly string[] = []) => {
    const body = { domain, aliases, type: 'static', username: 'ada' }
    const { status, error } = await panel.request('POST', '/api/websites?plan=1', { as: panel.admin, body })
    return `${status} ${error?.message ?? ''}`
  }
  const ofLength = (length: number) =>
    ['a', 'b', 'c', 'd']
      .map((letter) => letter.repeat(62))
      .join('.')
      .slice(-length + 3) + '.de'

  test('are refused with 400 if the last label ends with a hyphen, which nginx does not take', async () => {
    assert.match(await plan('www.xn--q-'), /^400 domain: /)
    assert.match(await plan('www.example.com', ['www.xn--q-']), /^400 aliases/)
    assert.match(await plan('www.example.com', ['www.xn--q']), /^20\d /)
  })

  test('are refused with 400 if files named after them would have names that are too long', async () => {
    assert.match(await plan(ofLength(200)), /^20\d /)
    assert.match(await plan(ofLength(201)), /^400 domain: .*200/)
    assert.match(await plan('www.example.com', [ofLength(250)]), /^20\d /)
  })
})
