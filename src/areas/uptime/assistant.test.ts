import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { openAssistantPanel } from '../ai/testing/assistant-panel.ts'

describe('a monitor that tells the assistant', () => {
  test('writes into a conversation of its own, and says in its history where there is no assistant', async (t) => {
    const on = await openAssistantPanel()
    t.after(() => on.close())
    const ask = (method: string, path: string, body?: unknown) =>
      on.panel.request(method, `/api/uptime${path}`, {
        as: on.panel.admin,
        ...(body !== undefined && { body }),
      })
    const goDown = async (name: string) => {
      const draft = { name, type: 'tcp', target: '127.0.0.1:1', check_interval: 86_400, alert_ai: true }
      const { id } = (await ask('POST', '/monitors', draft)).data
      const checked = (times: number) =>
        until(async () => {
          const { monitors } = (await ask('GET', '/monitors')).data
          return monitors.find((each: { id: number }) => each.id === id).total_checks >= times
        })
      await checked(1)
      await ask('POST', `/monitors/${id}/check`)
      return until(async () => {
        const { history } = (await ask('GET', `/monitors/${id}/history`)).data
        return history.find((row: { event_type: string }) => row.event_type === 'alert')?.error as
          | string
          | undefined
      })
    }
    assert.match(await goDown('alone'), /^assistant: (?!sent)./)
    assert.equal((await on.setUp()).state, 'succeeded')
    on.gateway.calls.splice(0)
    assert.equal(await goDown('shop'), 'assistant: sent')
    const [, sent] = on.gateway.calls.find(([method]) => method === 'chat.send') ?? []
    assert.equal(sent?.['sessionKey'], 'agent:main:uptime')
    assert.match(String(sent?.['message']), /tell: shop is down\.\nshop \(127\.0\.0\.1:1\)$/)
  })
})
