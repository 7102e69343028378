import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'

const resolve = async (host: string) => {
  if (host === 'inside.example') return ['127.0.0.1']
  throw Object.assign(new Error('not found'), { syscall: 'getaddrinfo' })
}

describe('a port', () => {
  let panel: TestPanel
  let open: Server
  let openPort: number
  before(async () => {
    panel = await openTestPanel({ addresses: { resolve, own: () => ['10.0.0.5'] } })
    open = createTcp((socket) => socket.end()).listen(0, '127.0.0.1')
    await once(open, 'listening')
    openPort = (open.address() as AddressInfo).port
  })
  after(async () => {
    open.close()
    await panel.close()
  })
  const check = (body: unknown, as: Person = panel.admin) =>
    panel.request('POST', '/api/system/portcheck', { as, body })

  test('that listens is open, and says after how long', async () => {
    const { status, data } = await check({ host: 'inside.example', port: openPort })
    assert.deepEqual([status, data.open, data.message], [200, true, 'The port is open'])
    assert.match(data.time_ms, /^\d+\.\d$/)
  })

  test('that nothing listens on is closed, and says why', async () => {
    const closed = createTcp().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    closed.close()
    await once(closed, 'close')
    for (const protocol of ['tcp', 'udp']) {
      const { status, data } = await check({ host: '127.0.0.1', port, protocol })
      assert.deepEqual([status, data.open, data.time_ms], [200, false, ''], protocol)
      assert.match(data.message, /refused/)
    }
  })

  test('of UDP is open if it answers', async () => {
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    socket.on('message', (_message, { port }) => socket.send('hello', port, '127.0.0.1'))
    await once(socket, 'listening')
    const { data } = await check({ host: '127.0.0.1', port: socket.address().port, protocol: 'udp' })
    socket.close()
    assert.deepEqual([data.open, data.message], [true, 'The port is open'])
  })

  test('is asked of a name as people type it', async () => {
    for (const host of ['inside.example.', ' Inside.Example ', 'http://inside.example/']) {
      const { status, data } = await check({ host, port: openPort })
      assert.deepEqual([status, data.open], [200, true], host)
    }
  })

  test('is asked of an IPv6 address with brackets or without', async () => {
    for (const host of ['::1', '[::1]']) {
      const { status, data } = await check({ host, port: 1 })
      assert.deepEqual([status, data.open], [200, false], host)
    }
  })

  test('of a name that does not resolve is closed', async () => {
    const { status, data } = await check({ host: 'nowhere.example', port: 80 })
    assert.deepEqual([status, data.open, data.message], [200, false, 'nowhere.example cannot be resolved'])
  })

  test('of an internal address is for superusers: bad_request', async () => {
    const as = await panel.person()
    for (const host of [
      'inside.example',
      '127.0.0.1',
      '10.0.0.5',
      '169.254.169.254',
      '[::1]',
      '::ffff:127.0.0.1',
    ]) {
      const { status, error } = await check({ host, port: openPort }, as)
      assert.deepEqual([status, error.code], [400, 'bad_request'], host)
      assert.match(error.message, /^host: /, host)
    }
  })

  test('is not asked for with bad input', async () => {
    const bad = [
      { host: '', port: 80 },
      { host: 'a;b', port: 80 },
      { host: '$(id)', port: 80 },
      { host: '-v', port: 80 },
      { host: 'a\nb', port: 80 },
      { host: 'x'.repeat(254), port: 80 },
      { host: 'localhost', port: 0 },
      { host: 'localhost', port: -1 },
      { host: 'localhost', port: '22-' },
      { host: 'localhost', port: 22.5 },
      { host: 'localhost' },
      { host: 'localhost', port: 80, protocol: 'icmp' },
    ]
    for (const body of bad) {
      const { status, error } = await check(body)
      assert.deepEqual([status, error.code], [400, 'bad_request'], JSON.stringify(body))
    }
    assert.equal((await panel.request('POST', '/api/system/portcheck', { body: bad[0] })).status, 401)
  })

  test('above 65535 is 65535', async () => {
    const { status, data } = await check({ host: '127.0.0.1', port: 70_000 })
    assert.deepEqual([status, data.open], [200, false])
  })
})

describe('the public address', () => {
  const addresses = { own: () => ['10.0.0.5', 'fd00::5', '203.0.113.7', '2606:4700::7'] }

  test('is the one of the network interfaces where no lookup is configured', async (t) => {
    const panel = await openTestPanel({ addresses })
    t.after(() => panel.close())
    const { status, data } = await panel.request('GET', '/api/system/public-ip', { as: await panel.person() })
    assert.equal(status, 200)
    const { server, server_ipv4, server_ipv6, server_info } = data
    assert.deepEqual(
      [server, server_ipv4, server_ipv6, server_info],
      ['203.0.113.7', '203.0.113.7', '2606:4700::7', 'network interfaces'],
    )
    assert.notEqual(data.client, '')
    assert.equal((await panel.request('GET', '/api/system/public-ip')).status, 401)
  })

  test('is what the configured server sees, and empty over a family that has no answer', async (t) => {
    const server = createServer((_request, response) => response.end('{"ip":"198.51.100.9"}\n'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const panel = await openTestPanel({
      addresses,
      environment: { HOSTREEVE_PUBLIC_IP_URL: `http://127.0.0.1:${port}/` },
    })
    t.after(() => panel.close())
    const read = async () => (await panel.request('GET', '/api/system/public-ip', { as: panel.admin })).data
    const { server: found, server_ipv4, server_ipv6, server_info } = await read()
    assert.deepEqual(
      [found, server_ipv4, server_ipv6, server_info],
      ['198.51.100.9', '198.51.100.9', '', `lookup at 127.0.0.1:${port}`],
    )
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    assert.deepEqual([(await read()).server, (await read()).server_ipv4], ['', ''])
  })

  test('is not taken from an answer that is none', async (t) => {
    const answers = ['<html>', 'x'.repeat(10_000), '{"ip":"127.0.0.1; rm"}', '{', '999.1.1.1']
    const server = createServer((_request, response) => response.end(answers.pop() ?? ''))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    t.after(() => server.close())
    const panel = await openTestPanel({
      addresses,
      environment: { HOSTREEVE_PUBLIC_IP_URL: `http://localhost:${port}/` },
    })
    t.after(() => panel.close())
    while (answers.length > 0) {
      const { status, data } = await panel.request('GET', '/api/system/public-ip', { as: panel.admin })
      assert.deepEqual([status, data.server], [200, ''])
    }
  })
})
