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
      http_statuses: '',
      check_interval,
      timeout: 5,
      alert_email: '',
      alert_webhook: '',
      webhook_skip_ssl: false,
      sealed_webhook_secret: '',
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
    const { next, alert } = transition(monitor(1), state, each, { now })
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
    assert.deepEqual(after(bad, bad, broken), { state: 'error', alerts: ['down'] })
    assert.deepEqual(after(bad, bad, broken, good), { state: 'up', alerts: ['down', 'up'] })
  })

  it('does not change to down in maintenance, and needs two failures after it', () => {
    const first = transition(monitor(1), undefined, bad, { now, isMaintained: true })
    const second = transition(monitor(1), first.next, bad, { now, isMaintained: true })
    assert.deepEqual([second.next.is_down, second.next.fail_count, second.alert], [0, 0, undefined])
    const third = transition(monitor(1), second.next, bad, { now })
    assert.equal(third.next.is_down, 0)
    assert.equal(transition(monitor(1), third.next, bad, { now }).alert, 'down')
  })

  it('is unstable after four turns within an hour, and is told of once it has stayed the same for half an hour', () => {
    const minutes = (count: number) => new Date(now.getTime() + count * 60_000)
    const told: string[] = []
    let state: StateRow | undefined
    const turn = (at: number, ...outcomes: readonly Outcome[]) => {
      for (const each of outcomes) {
        const { next, alert } = transition(monitor(1), state, each, { now: minutes(at) })
        state = next
        if (alert) told.push(`${at} ${alert}`)
      }
    }
    turn(0, good, bad, bad)
    turn(5, good)
    turn(10, bad, bad)
    turn(15, good)
    turn(20, bad, bad)
    turn(25, good)
    turn(40, good)
    assert.deepEqual(told, ['0 down', '5 up', '10 down', '15 unstable'])
    assert.equal(state?.is_unstable, 1)
    turn(56, good)
    assert.deepEqual([told.at(-1), state?.is_unstable], ['56 up', 0])
    turn(120, bad, bad)
    assert.equal(told.at(-1), '120 down')
  })

  it('has slow turns without being unstable', () => {
    let state: StateRow | undefined
    const told: unknown[] = []
    for (let hour = 0; hour < 8; hour++)
      for (const each of hour % 2 === 0 ? [bad, bad] : [good]) {
        const at = { now: new Date(now.getTime() + hour * 1_800_000) }
        const { next, alert } = transition(monitor(1), state, each, at)
        state = next
        if (alert) told.push(alert)
      }
    assert.equal(told.includes('unstable'), false)
  })

  it('is confirmed after half a minute where the interval is longer', () => {
    const { next } = transition(monitor(1, 300), undefined, bad, { now })
    assert.equal(next.next_check, '2026-11-28T00:00:30.000Z')
  })
})

describe('the next checks of 10,000 monitors that were added together', () => {
  it('are spread over the interval, none sooner than half of it, and keep their distance', () => {
    const perSecond = new Map<number, number>()
    for (let id = 1; id <= 10_000; id++) {
      const { next_check } = transition(monitor(id), undefined, outcome('ok'), { now }).next
      const waitMs = Date.parse(next_check) - now.getTime()
      assert.ok(waitMs >= 30_000 && waitMs <= 90_000, String(waitMs))
      const again = transition(monitor(id), undefined, outcome('ok'), { now: new Date(next_check) }).next
      assert.equal(Date.parse(again.next_check) - Date.parse(next_check), 60_000)
      const second = Math.floor(waitMs / 1000)
      perSecond.set(second, (perSecond.get(second) ?? 0) + 1)
    }
    assert.ok(Math.max(...perSecond.values()) < 200, `${Math.max(...perSecond.values())} in one second`)
  })
})
