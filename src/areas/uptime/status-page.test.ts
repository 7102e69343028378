import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { days, fives } from './samples/store.ts'
import { states } from './store.ts'

describe('the status of monitors', () => {
  let panel: TestPanel
  let shop: number
  let mail: number
  const begunMs = Date.now()
  const ago = (ms: number) => new Date(begunMs - ms).toISOString()
  const dayMs = 86_400_000
  const ask = (method: string, path: string, body?: unknown, as: Person | undefined = panel.admin) =>
    panel.request(method, `/api/uptime${path}`, { ...(as && { as }), ...(body !== undefined && { body }) })
  const readPublic = () => panel.request('GET', '/api/uptime/public')
  const add = async (name: string) => {
    const draft = { name, type: 'tcp', target: '192.0.2.1:443' }
    return (await ask('POST', '/monitors', draft)).data.id as number
  }
  before(async () => {
    panel = await openTestPanel() // not started: nothing is checked
    shop = await add('shop')
    mail = await add('mail')
    const now = ago(0)
    const state = states.row({
      ...{ monitor_id: shop, state: 'down', is_down: true, last_check: now, last_status: 0 },
      ...{ last_response_time: 5, last_error: 'a secret reason', fail_count: 2, total_checks: 9 },
      ...{ down_at: now, recovered_at: null, next_check: now, swings: '', is_unstable: false },
      is_switched: false,
    })
    const day = (age: number, failed: number) =>
      days.row({
        ...{ monitor_id: shop, day: ago(age * dayMs).slice(0, 10), checks: 100, failed },
        ...{ p50: 1, p95: 2, p99: 3 },
      })
    const hour = ago(2 * 3_600_000).slice(0, 13)
    const five = (minute: string, average: number, failed: number) =>
      fives.row({
        ...{ monitor_id: shop, created_at: `${hour}:${minute}:00.000Z`, checks: 10, failed, average },
        slowest: 90,
      })
    const writes = [
      states.insert(state),
      ...[day(1, 10), day(2, 0), day(95, 100)].map(days.insert),
      ...[five('00', 10, 0), five('05', 40, 5)].map(fives.insert),
    ]
    await panel.store.transaction((tx) => panel.store.write(tx, writes))
  })
  after(() => panel.close())

  test('is private until it is made public, and then names neither targets nor errors', async () => {
    assert.equal((await readPublic()).status, 404)
    assert.deepEqual((await ask('GET', '/status-page')).data, {
      is_enabled: false,
      title: '',
      monitor_ids: [],
    })
    const set = { is_enabled: true, title: 'Example Ltd', monitor_ids: [shop, mail, shop] }
    const { data: page } = await ask('PUT', '/status-page', set)
    assert.deepEqual(page, { ...set, monitor_ids: [shop, mail] })
    const { status, data, text } = await readPublic()
    assert.equal(status, 200)
    assert.deepEqual(data, {
      title: 'Example Ltd',
      monitors: [
        {
          name: 'shop',
          state: 'down',
          availability: 95,
          days: [
            { day: ago(dayMs).slice(0, 10), availability: 90 },
            { day: ago(2 * dayMs).slice(0, 10), availability: 100 },
          ],
        },
        { name: 'mail', state: 'unknown', availability: null, days: [] },
      ],
    })
    assert.doesNotMatch(text, /192\.0\.2\.1|secret/)
  })

  test('shows every enabled monitor by name if none is chosen, and none that is disabled', async () => {
    await ask('PUT', '/status-page', { is_enabled: true })
    const names = async () => (await readPublic()).data.monitors.map(({ name }: { name: string }) => name)
    assert.deepEqual(await names(), ['mail', 'shop'])
    await ask('POST', `/monitors/${mail}/toggle`)
    await ask('PUT', '/status-page', { is_enabled: true, title: 'read anew' })
    assert.deepEqual(await names(), ['shop'])
    await ask('POST', `/monitors/${mail}/toggle`)
  })

  test('is private again when it is switched off, and with the plugin', async () => {
    await ask('PUT', '/status-page', { is_enabled: true })
    await panel.request('POST', '/api/plugins/uptime/disable', { as: panel.admin })
    assert.equal((await readPublic()).status, 404)
    assert.equal((await ask('GET', '/status-page')).status, 400)
    assert.equal((await ask('GET', `/sparklines?ids=${shop}`)).status, 400)
    await panel.request('POST', '/api/plugins/uptime/enable', { as: panel.admin })
    assert.equal((await readPublic()).status, 200)
    await ask('PUT', '/status-page', { is_enabled: false })
    assert.equal((await readPublic()).status, 404)
  })

  test('is made public by superusers alone, with monitors that exist', async () => {
    const keeper = await panel.person({ permissions: ['administrative_operations'] })
    assert.equal((await ask('PUT', '/status-page', { is_enabled: true }, keeper)).status, 403)
    assert.equal((await ask('GET', '/status-page', undefined, keeper)).status, 403)
    assert.equal((await ask('PUT', '/status-page', { is_enabled: true, monitor_ids: [999_999] })).status, 404)
    for (const body of [{}, { is_enabled: 'yes' }, { is_enabled: true, monitor_ids: [0] }])
      assert.equal((await ask('PUT', '/status-page', body)).status, 400, JSON.stringify(body))
  })

  test('of the last day is read by hours for small charts', async () => {
    const { data } = await ask('GET', `/sparklines?ids=${shop},${mail},999999`)
    assert.deepEqual(data, {
      sparklines: [
        {
          monitor_id: shop,
          hours: [
            { time: `${ago(2 * 3_600_000).slice(0, 13)}:00:00.000Z`, checks: 20, failed: 5, average: 20 },
          ],
        },
      ],
    })
    for (const ids of ['', '0', 'x', '1,', '1;2', Array(101).fill(1).join(',')])
      assert.equal((await ask('GET', `/sparklines?ids=${ids}`)).status, 400, ids)
    const keeper = await panel.person({ permissions: ['administrative_operations'] })
    assert.equal((await ask('GET', `/sparklines?ids=${shop}`, undefined, keeper)).status, 403)
  })
})
