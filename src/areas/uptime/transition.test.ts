import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Outcome } from './parts.ts'
import { monitors, type StateRow } from './store.ts'
import { transition } from './transition.ts'

const now = new Date('2026-11-28T00:00:00.000Z')
const monitor = (id: number, check_interval = 60) =>
  monitors.row({
    ...{ id, name: 'x', type: 'http', target: '', http_method: '', http_override_ip: '', http_keyword: '' },
    ...{
      http_skip_ssl: false,
      check_interval,
      timeout: 5,
      alert_email: '',
      alert_webhook: '',
      webhook_skip_ssl: false,
    },
    ...{ alert_ai: false, is_enabled: true, dns_failover: false, dns_zone: '', dns_record_name: '' },
    ...{ dns_record_type: '', dns_up_ip: '', dns_down_ip: '', created_at: now.toISOString() },
  })
const outcome = (result: Outcome['result'], error = ''): Outcome => ({
  result,
  error,
  status: 0,
  responseMs: 1,
})
const after = (...outcomes: readonly Outcome[]) => {
  let [state, alerts]: [StateRow | undefined, string[]] = [undefined, []]
  for (const each of outcomes) {
    const { next, alert } = transition(monitor(1), state, each, now)
    state = next
    if (alert) alerts = [...alerts, alert]
  }
  return { state: state?.state, alerts }
}

describe('the state of a monitor', () => {
  const [good, bad] = [outcome('ok'), outcome('failed', 'x')]
  it('changes to down with the second failure in a row, and back with the first success', () => {
    assert.deepEqual(after(good, bad, good, bad), { state: 'warning', alerts: [] })
    assert.deepEqual(after(bad, bad, bad), { state: 'down', alerts: ['down'] })
    assert.deepEqual(after(bad, bad, good), { state: 'up', alerts: ['down', 'up'] })
  })

  it('is a warning where a success has a fault, and an error where nothing can be checked', () => {
    assert.deepEqual(after(outcome('ok', 'the certificate expires in 3 days')), {
      state: 'warning',
      alerts: [],
    })
    const broken = outcome('error', 'x')
    assert.deepEqual(after(broken, broken, broken), { state: 'error', alerts: [] })
  })

  it('is confirmed after half a minute where the interval is longer', () => {
    const { next } = transition(monitor(1, 300), undefined, bad, now)
    assert.equal(next.next_check, '2026-11-28T00:00:30.000Z')
  })
})

describe('the next checks of 10,000 monitors that were added together', () => {
  it('are spread over the interval, none sooner than half of it, and keep their distance', () => {
    const perSecond = new Map<number, number>()
    for (let id = 1; id <= 10_000; id++) {
      const { next_check } = transition(monitor(id), undefined, outcome('ok'), now).next
      const waitMs = Date.parse(next_check) - now.getTime()
      assert.ok(waitMs >= 30_000 && waitMs <= 90_000, String(waitMs))
      const again = transition(monitor(id), undefined, outcome('ok'), new Date(next_check)).next
      assert.equal(Date.parse(again.next_check) - Date.parse(next_check), 60_000)
      const second = Math.floor(waitMs / 1000)
      perSecond.set(second, (perSecond.get(second) ?? 0) + 1)
    }
    assert.ok(Math.max(...perSecond.values()) < 200, `${Math.max(...perSecond.values())} in one second`)
  })
})
