import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { json } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { openTestPanel } from '../../../test/support/panel.ts'
import { startSmtpServer } from '../../../test/support/smtp-server.ts'
import { until } from '../../../test/support/until.ts'
import { monitors } from './store.ts'

const count = 1000
const limitMs = 170_000

describe('an outage of 1,000 targets at once', () => {
  test('is told of once by e-mail, once by webhook and in one notification, and so is its end', async (t) => {
    const calls: any[] = []
    const receiver = createServer(async (request, response) => {
      calls.push(await json(request))
      response.writeHead(204).end()
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const listen = async (port: number) => {
      const server = createTcp((socket) => socket.end()).listen(port, '127.0.0.1')
      await once(server, 'listening')
      return server
    }
    let target = await listen(0)
    const { port } = target.address() as AddressInfo
    const mail = await startSmtpServer()
    const panel = await openTestPanel({
      environment: { HOSTREEVE_SMTP_URL: `smtp://127.0.0.1:${mail.port}` },
    })
    t.after(async () => {
      await panel.close()
      await mail.close()
      receiver.closeAllConnections()
      receiver.close()
      target.close()
    })
    const row = (at: number) =>
      monitors.row({
        ...{ id: panel.store.nextId(monitors.name), name: `shop ${at}`, type: 'tcp', is_enabled: true },
        ...{ target: `127.0.0.1:${port}`, check_interval: 86_400, timeout: 60, alert_ai: false },
        ...{ http_method: '', http_override_ip: '', http_keyword: '', http_skip_ssl: false },
        ...{ http_statuses: '', webhook_skip_ssl: false, sealed_webhook_secret: '' },
        alert_email: 'ops@example.com',
        alert_webhook: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
        ...{ dns_failover: false, dns_zone: '', dns_record_name: '', dns_record_type: '', dns_up_ip: '' },
        ...{ dns_down_ip: '', created_at: new Date().toISOString() },
      })
    const rows = Array.from({ length: count }, (_, at) => row(at))
    await panel.store.transaction((tx) => panel.store.write(tx, rows.map(monitors.insert)))
    await panel.start()
    const checked = (times: number) =>
      until(
        async () => {
          const { db } = panel.store
          const found = await db
            .selectFrom('uptime_states')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .where('total_checks', '>=', times)
            .executeTakeFirstOrThrow()
          return found.count === count
        },
        { limitMs, everyMs: 50 },
      )
    const checkAll = async (times: number) => {
      await panel.store.db
        .updateTable('uptime_states')
        .set({ next_check: new Date(0).toISOString() })
        .where('total_checks', '<', times)
        .execute()
      await checked(times)
    }
    const items = async (kind: string) =>
      (await panel.request('GET', `/api/notifications?kind=${kind}`, { as: panel.admin })).data.items
    await checked(1)
    target.close()
    await checkAll(2)
    await checkAll(3)
    await until(async () => (await items('monitor_down')).length > 0 && calls.length > 0, { limitMs })
    const isSent = async () => {
      const left = await panel.store.db.selectFrom('uptime_alerts').select('id').limit(1).execute()
      return left.length === 0
    }
    await until(isSent, { limitMs })
    assert.deepEqual(
      (await items('monitor_down')).map((each: { title: string; count: number }) => [each.title, each.count]),
      [['1000 monitors are down', 1]],
    )
    const sent = await panel.store.db
      .selectFrom('uptime_history')
      .select('error')
      .distinct()
      .where('event_type', '=', 'alert')
      .execute()
    assert.deepEqual(sent.map(({ error }) => error).toSorted(), [
      'e-mail to ops@example.com: sent',
      'webhook: sent',
    ])
    assert.equal(mail.received.length, 1)
    assert.match(mail.received[0]?.text ?? '', /1000 monitors are down/)
    assert.match(mail.received[0]?.text ?? '', /shop 7 \(127\.0\.0\.1/)
    assert.deepEqual(
      calls.map((call) => [call.event_type, call.count, call.others.length]),
      [['down', 1000, 499]],
    )
    target = await listen(port)
    await checkAll(4)
    await until(async () => mail.received.length === 2, { limitMs })
    await until(isSent, { limitMs })
    assert.equal(mail.received.length, 2)
    assert.match(mail.received[1]?.text ?? '', /1000 monitors are up again/)
    await until(async () => (await items('monitor_up')).length > 0, { limitMs })
    assert.deepEqual(
      (await items('monitor_up')).map((each: { title: string; count: number }) => [each.title, each.count]),
      [['1000 monitors are up again', 1]],
    )
  })
})
