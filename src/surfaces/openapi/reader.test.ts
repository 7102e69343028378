import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'

describe('the API reference', () => {
  let panel: TestPanel
  before(async () => {
    panel = await openTestPanel()
  })
  after(() => panel.close())

  test('works under its content policy, and links to the panel', async () => {
    const { status, text, headers } = await panel.request('GET', '/api/docs')
    assert.equal(status, 200)
    assert.match(String(headers['content-security-policy']), /default-src 'none'; style-src 'self'/)
    assert.doesNotMatch(text, /<script|<style|style=/)
    assert.match(text, /<a href="\/">Open the panel<\/a>/)
  })

  test('has the colors of the panel, light and dark, and fits on a phone', async () => {
    const { text } = await panel.request('GET', '/api/docs.css')
    assert.match(text, /color-scheme: light dark/)
    assert.match(text, /--ground: light-dark\(#f6f7f9, #15171b\)/)
    assert.match(text, /summary \{[^}]*overflow-wrap: anywhere/)
  })
})
