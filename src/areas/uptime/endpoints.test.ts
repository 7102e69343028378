import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { createServer as createTcp, type AddressInfo } from 'node:net'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { condenseDays, condenseFives } from './samples/condense.ts'
import { fives, samples } from './samples/store.ts'
import { history, uptimeQueries } from './store.ts'
import { createSelfSigned } from '../../host/self-signed.ts'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { startSmtpServer, type TestSmtpServer } from '../../../test/support/smtp-server.ts'
import { until } from '../../../test/support/until.ts'

const portOf = async (server: Server | ReturnType<typeof createTcp>) => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
const textOf = async (request: AsyncIterable<Buffer>) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}
const resolve = async (host: string) => {
  if (host === 'site.example') return ['127.0.0.1']
  throw Object.assign(new Error('not found'), { syscall: 'getaddrinfo' })
}

describe('uptime', () => {
  let panel: TestPanel
  let mail: TestSmtpServer
  let web: Server
  let base: string
  let answer: { status: number; text: string; location?: string }
  const hooks: any[] = []
  const signed: { headers: IncomingHttpHeaders; text: string }[] = []
  const methods: string[] = []
  before(async () => {
    mail = await startSmtpServer()
    web = createServer(async (request, response) => {
      methods.push(String(request.method))
      if (request.url === '/hook') {
        hooks.push(JSON.parse(await textOf(request)))
        return void response.writeHead(204).end()
      }
      if (request.url === '/signed') {
        signed.push({ headers: request.headers, text: await textOf(request) })
        return void response.writeHead(204).end()
      }
      const { status, text, location } = answer
      response.writeHead(request.url === '/moved' ? 200 : status, location ? { location } : {}).end(text)
    })
    base = `http://127.0.0.1:${await portOf(web)}`
    panel = await openTestPanel({
      addresses: { resolve },
      environment: { HOSTREEVE_SMTP_URL: `smtp://127.0.0.1:${mail.port}` },
      scripts: [
        (argv) =>
          argv.at(-2) === '--' && argv.includes('ping')
            ? { stdout: '1 packets transmitted, 1 received, 0% packet loss, time 0ms\n' }
            : undefined,
      ],
    })
    await panel.start()
  })
  beforeEach(() => void (answer = { status: 200, text: 'hello' }))
  // alerts wait for monitors that have failed once: those of one test would hold back those of the next
  afterEach(() => panel.store.db.deleteFrom('uptime_monitors').execute())
  after(async () => {
    await panel.close()
    web.closeAllConnections()
    web.close()
    await mail.close()
  })

  const ask = (method: string, path: string, body?: unknown) =>
    panel.request(method, `/api/uptime${path}`, { as: panel.admin, ...(body !== undefined && { body }) })
  const add = async (draft: object = {}): Promise<number> => {
    const given = { name: 'site', type: 'http', target: `${base}/`, check_interval: 86_400, ...draft }
    const { status, data, json } = await ask('POST', '/monitors', given)
    assert.equal(status, 200, JSON.stringify(json))
    return data.id
  }
  const read = async (id: number) =>
    (await ask('GET', '/monitors')).data.monitors.find((each: { id: number }) => each.id === id)
  const historyOf = async (id: number) => (await ask('GET', `/monitors/${id}/history`)).data.history
  const eventsOf = async (id: number) =>
    (await historyOf(id)).map((row: { event_type: string }) => row.event_type)
  const checked = (id: number, times: number) =>
    until(async () => {
      const monitor = await read(id)
      return monitor.total_checks >= times && monitor
    })
  const check = async (id: number) => {
    const { total_checks: times } = await read(id)
    await ask('POST', `/monitors/${id}/check`)
    return checked(id, times + 1)
  }

  test('checks a new monitor by itself and lists what was found, the newest first', async () => {
    const [older, id] = [await add(), await add({ name: 'newer' })]
    const { is_down, last_status, last_error, is_enabled, last_check, http_method } = await checked(id, 1)
    assert.deepEqual(
      [is_down, last_status, last_error, is_enabled, http_method],
      [false, 200, '', true, 'GET'],
    )
    assert.ok(Date.parse(last_check) > 0)
    const ids = (await ask('GET', '/monitors')).data.monitors.map((each: { id: number }) => each.id)
    assert.deepEqual(ids.slice(0, 2), [id, older])
    const [row] = await historyOf(id)
    assert.deepEqual([row.event_type, row.status, row.error], ['up', 200, ''])
  })

  test('is down after the second failure in a row, tells of it, and is up after the first success', async () => {
    const id = await add({ name: 'alerting', alert_email: 'ops@example.com', alert_webhook: `${base}/hook` })
    await checked(id, 1)
    await ask('POST', `/monitors/${id}/toggle`) // so that only this test checks it
    answer = { status: 503, text: '' }
    const first = await check(id)
    assert.deepEqual(
      [first.is_down, first.last_error, first.fail_count],
      [false, 'the server answered 503', 1],
    )
    assert.equal((await check(id)).is_down, true)
    await until(async () => (await eventsOf(id)).filter((event: string) => event === 'alert').length === 2)
    assert.deepEqual((await eventsOf(id)).toReversed(), ['up', 'warning', 'down', 'alert', 'alert'])
    assert.deepEqual(mail.received[0]?.to, ['ops@example.com'])
    assert.match(mail.received[0]?.text ?? '', /alerting is down/)
    const [{ event_type, status, error, monitor }] = hooks
    assert.deepEqual([event_type, status, error, monitor.id], ['down', 503, 'the server answered 503', id])
    await until(async () =>
      (await noticesOf('monitor_down')).some(({ title }) => title === 'alerting is down'),
    )
    answer = { status: 200, text: '' }
    const up = await check(id)
    assert.deepEqual([up.is_down, up.fail_count, up.last_error], [false, 0, ''])
    await until(() => mail.received.length === 2 && hooks.length === 2)
    await until(async () => (await noticesOf('monitor_up')).length === 1)
  })

  const noticesOf = async (kind: string): Promise<readonly { title: string }[]> =>
    (await panel.request('GET', `/api/notifications?kind=${kind}`, { as: panel.admin })).data.items

  test('keeps in its history why an alert could not be sent', async () => {
    const id = await add({ alert_webhook: 'http://nowhere.example/hook', target: 'http://127.0.0.1:1/' })
    await checked(id, 1)
    assert.equal((await check(id)).last_error, 'the connection was refused')
    const alert = await until(async () =>
      (await historyOf(id)).find((row: any) => row.event_type === 'alert'),
    )
    assert.equal(alert.error, 'webhook: nowhere.example cannot be resolved')
  })

  test('follows redirects, looks for the keyword, and uses the method and the overriding address', async () => {
    answer = { status: 302, text: '', location: '/moved' }
    const port = new URL(base).port
    const id = await add({ target: `http://other.example:${port}/`, http_override_ip: '127.0.0.1' })
    assert.equal((await checked(id, 1)).last_status, 200)
    answer = { status: 200, text: 'all is well' }
    assert.equal((await checked(await add({ http_keyword: 'is well' }), 1)).last_error, '')
    const lost = await checked(await add({ http_keyword: 'is bad' }), 1)
    assert.equal(lost.last_error, 'the answer does not contain "is bad"')
    await checked(await add({ http_method: 'HEAD' }), 1)
    assert.ok(methods.includes('HEAD'))
    answer = { status: 302, text: '', location: '/' }
    assert.match((await checked(await add(), 1)).last_error, /redirects/)
  })

  test('refuses a certificate that is not trusted unless told to accept it', async () => {
    const secure = createSecure(
      await createSelfSigned('localhost', [{ type: 'ip', value: '127.0.0.1' }], new Date()),
      (_request, response) => response.end('x'),
    )
    const target = `https://127.0.0.1:${await portOf(secure)}/`
    assert.match((await checked(await add({ target }), 1)).last_error, /self-signed/)
    assert.equal((await checked(await add({ target, http_skip_ssl: true }), 1)).last_error, '')
    secure.closeAllConnections()
    secure.close()
  })

  test('ends with targets that do not end, and reads no more of them than it needs', async () => {
    const endless = createTcp((socket) => {
      socket.on('error', () => {})
      socket.once('data', (asked) => {
        const path = String(asked).split(' ')[1]
        const part =
          { '/headers': `x-${'y'.repeat(1000)}: z\r\n`, '/large': 'z'.repeat(65_536) }[path ?? ''] ?? 'z'
        const write = () => {
          if (socket.destroyed) return
          socket.write(part, () => (path === '/slow' ? setTimeout(write, 50) : setImmediate(write)))
        }
        socket.write(`HTTP/1.1 200 OK\r\n${path === '/headers' ? '' : 'content-length: 10000000000\r\n\r\n'}`)
        write()
      })
    })
    const target = `http://127.0.0.1:${await portOf(endless)}`
    const errorOf = async (path: string, fields: object) =>
      (await checked(await add({ target: `${target}${path}`, ...fields }), 1)).last_error
    assert.equal(await errorOf('/headers', { timeout: 60 }), 'the headers of the answer are too large')
    assert.equal(
      await errorOf('/large', { http_keyword: 'heron', timeout: 60 }),
      'the answer does not contain "heron"',
    )
    assert.equal(await errorOf('/large', {}), '')
    assert.equal(await errorOf('/slow', { http_keyword: 'heron', timeout: 1 }), 'no answer within 1 s')
    endless.close()
  })

  test('warns of a certificate that has expired where any is accepted', async () => {
    const longAgo = new Date('2000-01-01T00:00:00Z')
    const expired = createSecure(
      await createSelfSigned('localhost', [{ type: 'ip', value: '127.0.0.1' }], longAgo),
      (_request, response) => response.end('x'),
    )
    const target = `https://127.0.0.1:${await portOf(expired)}/`
    const { is_down, last_error } = await checked(await add({ target, http_skip_ssl: true }), 1)
    assert.deepEqual([is_down, last_error], [false, 'the certificate expires in 0 days'])
    expired.closeAllConnections()
    expired.close()
  })

  test('checks ports, names and pings', async () => {
    const port = await portOf(createTcp((socket) => socket.end()).unref())
    const errorOf = async (type: string, target: string) =>
      (await checked(await add({ type, target }), 1)).last_error
    assert.equal(await errorOf('tcp', `127.0.0.1:${port}`), '')
    assert.match(await errorOf('tcp', '127.0.0.1:1'), /refused/)
    assert.equal(await errorOf('dns', 'site.example'), '')
    assert.equal(await errorOf('dns', 'nowhere.example'), 'nowhere.example cannot be resolved')
    assert.equal(await errorOf('ping', 'site.example'), '')
  })

  test('reaches every spelling of loopback, as superusers may, and passes an address to programs', async () => {
    const { port } = new URL(base)
    for (const host of ['127.1', '0x7f000001', '2130706433', '0177.0.0.1', '0x7f.0.0.1', '127.0.0.1.'])
      assert.equal(
        (await checked(await add({ target: `http://${host}:${port}/` }), 1)).last_status,
        200,
        host,
      )
    // a name of digits is one for the resolver
    for (const host of ['127.1', '2130706433', '0x7f000001']) {
      const { last_error } = await checked(await add({ type: 'tcp', target: `${host}:${port}` }), 1)
      assert.equal(last_error, `${host} cannot be resolved`)
    }
    for (const [target, address] of [
      ['[::1]', '::1'],
      ['::1', '::1'],
      ['[::ffff:127.0.0.1]', '::ffff:127.0.0.1'],
      ['site.example', '127.0.0.1'],
    ] as const) {
      assert.equal((await checked(await add({ type: 'ping', target }), 1)).last_error, '', target)
      const pings = panel.scripted.commands.filter((argv) => argv.includes('ping'))
      assert.equal(pings.at(-1)?.at(-1), address)
    }
    for (const http_override_ip of ['127.1', '2130706433', '0x7f000001', '0177.0.0.1'])
      assert.equal(
        (await ask('POST', '/monitors', { name: 'x', type: 'http', target: base, http_override_ip })).status,
        400,
      )
  })

  test('reports an unknown type as an error, which is no outage', async () => {
    const { is_down, last_error } = await checked(await add({ type: 'gopher', target: 'x' }), 1)
    assert.deepEqual([is_down, last_error], [false, 'type: gopher is not http, tcp, dns or ping'])
  })

  test('counts the enabled monitors by state', async () => {
    const before = (await ask('GET', '/status')).data
    assert.deepEqual([before.installed, before.running], [true, true])
    const id = await add()
    await checked(id, 1)
    const { total, up } = (await ask('GET', '/status')).data
    assert.deepEqual([total, up], [before.total + 1, before.up + 1])
    assert.deepEqual((await ask('POST', `/monitors/${id}/toggle`)).data, { message: 'Monitor toggled' })
    assert.equal((await read(id)).is_enabled, false)
    assert.equal((await ask('GET', '/status')).data.total, before.total)
    await ask('POST', `/monitors/${id}/toggle`)
    assert.equal((await read(id)).is_enabled, true)
  })

  test('replaces every field with PUT, and the given ones with PATCH', async () => {
    const id = await add({ http_keyword: 'hello' })
    const patched = await ask('PATCH', `/monitors/${id}`, { name: 'renamed' })
    assert.deepEqual(patched.data, { message: 'Monitor updated' })
    const { name, http_keyword } = await read(id)
    assert.deepEqual([name, http_keyword], ['renamed', 'hello'])
    await ask('POST', `/monitors/${id}/toggle`)
    const replaced = await ask('PUT', `/monitors/${id}`, { type: 'http', target: base })
    assert.deepEqual(replaced.data, { message: 'Monitor updated' })
    const after = await read(id)
    assert.deepEqual(
      [
        after.name,
        after.http_keyword,
        after.http_method,
        after.check_interval,
        after.timeout,
        after.is_enabled,
      ],
      ['', '', '', 0, 0, false],
    )
    for (const method of ['PUT', 'PATCH'])
      assert.equal((await ask(method, '/monitors/999999', { target: '' })).status, 404)
  })

  test('uses the default interval and time limit in place of 0', async () => {
    const { check_interval, timeout } = await read(await add({ check_interval: 0, timeout: 0 }))
    assert.deepEqual([check_interval, timeout], [300, 5])
  })

  test('deletes a monitor with its history; a second time is the same', async () => {
    const id = await add()
    await checked(id, 1)
    for (let time = 0; time < 2; time++)
      assert.deepEqual((await ask('DELETE', `/monitors/${id}`)).data, { message: 'Monitor deleted' })
    assert.deepEqual([await read(id), await historyOf(id)], [undefined, []])
    assert.equal((await ask('POST', `/monitors/${id}/toggle`)).status, 200)
    const unknown = await ask('POST', `/monitors/${id}/check`)
    assert.deepEqual([unknown.status, unknown.error.message], [404, 'Monitor not found'])
    assert.equal((await ask('GET', `/monitors/${id}/statistics`)).status, 404)
  })

  test('tells availability and response times', async () => {
    const id = await add()
    await checked(id, 1)
    await ask('POST', `/monitors/${id}/toggle`) // so that only this test checks it
    answer = { status: 500, text: '' }
    await check(id)
    const { checks, failed, availability } = (await ask('GET', `/monitors/${id}/statistics`)).data
    assert.deepEqual([checks, failed, availability], [2, 1, 50])
  })

  test('refuses bad input, naming the field', async () => {
    const draft = { name: 'x', type: 'http', target: base }
    const sixth = { dns_failover: true, dns_zone: 'example.com', dns_record_type: 'AAAA' }
    const bad: readonly object[] = [
      { name: '' },
      { target: undefined },
      { target: 'ftp://x/' },
      { target: 'http://' },
      { type: 'tcp', target: 'example.com' },
      { type: 'tcp', target: 'example.com:70000' },
      { type: 'ping', target: '-f example.com' },
      { type: 'ping', target: 'a;id' },
      { type: 'dns', target: '$(id)' },
      { check_interval: 9 },
      { check_interval: -1 },
      { timeout: 61 },
      { http_method: 'DELETE' },
      { http_override_ip: 'localhost' },
      { alert_email: 'nobody' },
      { alert_webhook: 'file:///etc/passwd' },
      { http_statuses: '20x' },
      { http_statuses: '200-600' },
      { http_statuses: '299-200' },
      { webhook_secret: 'secret' },
      { dns_failover: true, dns_zone: '' },
      { dns_failover: true, dns_zone: 'example.com', dns_record_type: 'MX' },
      { dns_failover: true, dns_zone: 'example.com', dns_up_ip: 'x' },
      { dns_failover: true, dns_zone: 'example.com', dns_up_ip: '192.0.2.1', dns_down_ip: '::1' },
      { dns_failover: true, dns_zone: 'example.com', dns_up_ip: '192.0.2.1', dns_down_ip: '192.0.2.1' },
      { ...sixth, dns_up_ip: '2001:db8::1', dns_down_ip: '2001:DB8:0::1' },
    ]
    for (const fields of bad) {
      const { status, error } = await ask('POST', '/monitors', { ...draft, ...fields })
      assert.equal(status, 400, JSON.stringify(fields))
      const named = Object.keys(fields).at(-1)
      assert.ok(error.message.startsWith(`${named}: `), error.message)
    }
    for (const limit of [0, 1001, 'x'])
      assert.equal((await ask('GET', `/monitors/1/history?limit=${limit}`)).status, 400)
    const failover = {
      dns_failover: true,
      dns_zone: 'example.com',
      dns_up_ip: '192.0.2.1',
      dns_down_ip: '192.0.2.2',
    }
    const { error } = await ask('POST', '/monitors', { ...draft, ...failover })
    assert.equal(error.message, 'dns_failover: PowerDNS is not set up: install it first')
  })

  test('expects the statuses that a monitor names', async () => {
    answer = { status: 401, text: '' }
    const errorOf = async (http_statuses: string) =>
      (await checked(await add({ http_statuses }), 1)).last_error
    assert.equal(await errorOf('200-299, 401'), '')
    assert.equal(await errorOf('200'), 'the server answered 401')
    answer = { status: 302, text: '', location: '/moved' }
    assert.equal((await checked(await add({ http_statuses: '302' }), 1)).last_status, 302)
  })

  test('signs the calls of a webhook with its key, which is shown masked and kept', async () => {
    const key = randomBytes(24).toString('base64')
    const hook = { alert_webhook: `${base}/signed`, webhook_secret: `whsec_${key}` }
    const id = await add({ ...hook, target: 'http://127.0.0.1:1/' })
    const { webhook_secret: shown } = await checked(id, 1)
    assert.match(shown, /^whse•+/)
    await ask('PATCH', `/monitors/${id}`, { webhook_secret: shown, name: 'signed' })
    await check(id)
    const { headers, text } = await until(() => signed[0])
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
    const expected = createHmac('sha256', Buffer.from(key, 'base64')).update(content).digest('base64')
    assert.equal(headers['webhook-signature'], `v1,${expected}`)
    assert.equal(JSON.parse(text).event_type, 'down')
    const stored = await panel.store.db.selectFrom('uptime_monitors').selectAll().execute()
    assert.ok(!JSON.stringify(stored).includes(key))
  })

  test('checks no monitor in maintenance by itself, and takes no failure there for an outage', async () => {
    const id = await add({ name: 'maintained' })
    await checked(id, 1)
    const begin = new Date(Date.now() - 60_000).toISOString()
    const planned = await ask('POST', '/maintenance', {
      title: 'New disks',
      monitor_id: id,
      starts_at: begin,
    })
    assert.deepEqual(
      [planned.status, planned.data.minutes, planned.data.is_active],
      [200, 60, true],
      planned.error?.message,
    )
    assert.equal((await read(id)).in_maintenance, true)
    answer = { status: 500, text: '' }
    const makeDue = () =>
      panel.store.db
        .updateTable('uptime_states')
        .set({ next_check: begin })
        .where('monitor_id', '=', id)
        .execute()
    await makeDue()
    const other = await add({ name: 'other' }) // is checked with the next round
    await checked(other, 1)
    assert.equal((await read(id)).total_checks, 1)
    for (let time = 0; time < 2; time++) await check(id)
    assert.equal((await read(id)).is_down, false)
    assert.equal((await ask('GET', `/monitors/${id}/statistics`)).data.failed, 0)
    const { windows } = (await ask('GET', '/maintenance')).data
    assert.deepEqual(windows, [planned.data])
    for (let time = 0; time < 2; time++)
      assert.equal((await ask('DELETE', `/maintenance/${planned.data.id}`)).status, 200)
    assert.deepEqual((await ask('GET', '/maintenance')).data.windows, [])
    await makeDue()
    await until(async () => (await read(id)).total_checks > 3)
  })

  test('refuses a maintenance window that is wrong, naming the field', async () => {
    const draft = { title: 'x', starts_at: new Date().toISOString() }
    for (const fields of [
      { title: '' },
      { starts_at: 'tonight' },
      { minutes: 0 },
      { minutes: 43_201 },
      { repeats: 'yearly' },
      { repeats: 'daily', minutes: 1440 },
      { repeats: 'weekly', minutes: 10_080 },
    ]) {
      const { status, error } = await ask('POST', '/maintenance', { ...draft, ...fields })
      assert.equal(status, 400, JSON.stringify(fields))
      assert.ok(error.message.startsWith(`${Object.keys(fields).at(-1)}: `), error.message)
    }
    assert.equal((await ask('POST', '/maintenance', { ...draft, monitor_id: 999_999 })).status, 404)
  })

  test('condenses its response times by five minutes and by day', async () => {
    const id = await add({ name: 'condensed' })
    await checked(id, 1)
    const on = { store: panel.store, queries: uptimeQueries(panel.store) }
    const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
    const rows = Array.from({ length: 100 }, (_, at) => ({
      id: panel.store.nextId(samples.name),
      monitor_id: id,
      is_ok: at % 10 !== 0,
      response_time: at,
      created_at: new Date(Date.parse(`${day}T10:00:00Z`) + at * 5000).toISOString(),
    }))
    await panel.store.transaction((tx) =>
      panel.store.write(
        tx,
        rows.map((row) => samples.insert(samples.row(row))),
      ),
    )
    const live = (await ask('GET', `/monitors/${id}/availability`)).data.days
    assert.deepEqual(
      live.map((each: { day: string; checks: number }) => [each.day, each.checks]),
      [
        [new Date().toISOString().slice(0, 10), 1],
        [day, 100],
      ],
    )
    assert.equal(await condenseFives(on, new Date()), 2)
    assert.equal(await condenseFives(on, new Date()), 0)
    const { points } = (await ask('GET', `/monitors/${id}/response-times?hours=72`)).data
    assert.deepEqual(
      points.map((each: { checks: number; failed: number }) => [each.checks, each.failed]),
      [
        [60, 6],
        [40, 4],
      ],
    )
    assert.equal(points[0].time, `${day}T10:00:00.000Z`)
    await condenseDays(on, new Date())
    await panel.store.db.deleteFrom('uptime_samples').where('monitor_id', '=', id).execute()
    const { days } = (await ask('GET', `/monitors/${id}/availability?days=7`)).data
    assert.deepEqual(days, [{ day, checks: 100, failed: 10, availability: 90, p50: 49, p95: 95, p99: 99 }])
    for (const bad of ['availability?days=0', 'availability?days=3651', 'response-times?hours=0'])
      assert.equal((await ask('GET', `/monitors/${id}/${bad}`)).status, 400)
    for (const path of ['availability', 'response-times'])
      assert.equal((await ask('GET', `/monitors/999999/${path}`)).status, 404)
  })

  test('keeps single response times for 7 days, and five minutes and the history for 90', async () => {
    const id = await add({ name: 'old' })
    await checked(id, 1)
    const begun = Date.now()
    const ago = (age: number) => new Date(begun - age * 86_400_000).toISOString()
    const sample = (age: number) => {
      const row = { id: panel.store.nextId(samples.name), monitor_id: id, created_at: ago(age) }
      return samples.insert(samples.row({ ...row, is_ok: true, response_time: 1 }))
    }
    const five = (age: number) => {
      const row = { monitor_id: id, created_at: ago(age), checks: 1, failed: 0, average: 1, slowest: 1 }
      return fives.insert(fives.row(row))
    }
    const event = (age: number) => {
      const row = { id: panel.store.nextId(history.name), monitor_id: id, created_at: ago(age) }
      return history.insert(history.row({ ...row, event_type: 'up', status: 0, response_time: 1, error: '' }))
    }
    const writes = [...[8, 7.5, 6].map(sample), ...[91, 90.5, 89, 0].map(five), ...[91, 89].map(event)]
    await panel.store.transaction((tx) => panel.store.write(tx, writes))
    const queries = uptimeQueries(panel.store)
    const timesIn = async (name: 'uptime_samples' | 'uptime_fives' | 'uptime_history') => {
      const rows = panel.store.db.selectFrom(name).select('created_at').where('monitor_id', '=', id)
      return (await rows.orderBy('created_at').execute()).map((row) => row.created_at)
    }
    assert.equal(await queries.removeOld(undefined), 0, 'while the clock may be wrong')
    await queries.removeOld(new Date(begun))
    assert.deepEqual(
      [(await timesIn('uptime_samples')).length, (await timesIn('uptime_samples'))[0]],
      [2, ago(6)],
    )
    assert.deepEqual(await timesIn('uptime_fives'), [ago(89), ago(0)])
    assert.deepEqual(
      [(await timesIn('uptime_history')).length, (await timesIn('uptime_history'))[0]],
      [2, ago(89)],
    )
  })

  test('without its plugin lists nothing and refuses the rest', async () => {
    await add()
    await panel.request('POST', '/api/plugins/uptime/disable', { as: panel.admin })
    assert.deepEqual((await ask('GET', '/monitors')).data, { monitors: [] })
    assert.deepEqual((await ask('GET', '/status')).data, { installed: false })
    for (const [method, path] of [
      ['POST', '/monitors'],
      ['PUT', '/monitors/1'],
      ['PATCH', '/monitors/1'],
      ['DELETE', '/monitors/1'],
      ['POST', '/monitors/1/toggle'],
      ['POST', '/monitors/1/check'],
      ['GET', '/monitors/1/history'],
      ['GET', '/monitors/1/statistics'],
      ['GET', '/monitors/1/availability'],
      ['GET', '/monitors/1/response-times'],
      ['GET', '/maintenance'],
      ['POST', '/maintenance'],
      ['DELETE', '/maintenance/1'],
    ] as const) {
      const starts_at = new Date().toISOString()
      const body =
        method === 'GET' ? undefined : { name: 'x', type: 'http', target: base, title: 'x', starts_at }
      const { status, error } = await ask(method, path, body)
      assert.deepEqual(
        [status, error.message],
        [400, 'The plugin uptime is disabled: enable it under Plugins'],
        path,
      )
    }
    await panel.request('POST', '/api/plugins/uptime/enable', { as: panel.admin })
  })

  test('is for superusers', async () => {
    const person = await panel.person({ permissions: ['administrative_operations'] })
    for (const [method, path] of [
      ['GET', '/status'],
      ['GET', '/monitors'],
      ['POST', '/monitors'],
      ['POST', '/monitors/1/check'],
      ['GET', '/maintenance'],
      ['POST', '/maintenance'],
      ['DELETE', '/maintenance/1'],
      ['GET', '/monitors/1/availability'],
    ] as const) {
      assert.equal((await panel.request(method, `/api/uptime${path}`, { as: person })).status, 403)
      assert.equal((await panel.request(method, `/api/uptime${path}`)).status, 401)
    }
  })
})
