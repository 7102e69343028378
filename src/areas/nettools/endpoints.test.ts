import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { RunResult } from '../../host/run.ts'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'

const isRoot = process.getuid?.() === 0
const pinged = `PING 192.0.2.7 (192.0.2.7) 64(92) bytes of data.
72 bytes from 192.0.2.7: icmp_seq=1 ttl=64 time=0.045 ms

--- 192.0.2.7 ping statistics ---
1 packets transmitted, 1 received, 0% packet loss, time 0ms
rtt min/avg/max/mdev = 0.045/0.045/0.045/0.000 ms
`
const packets = 'the packets'
const captured = '2026-11-28 00:00:01.123456 IP 10.0.0.1.4321 > 10.0.0.2.80: Flags [S], seq 1, length 0\n'

describe('network tools', () => {
  let panel: TestPanel
  let other: Person
  let answers: Record<string, Partial<RunResult>>
  const lastRun = (program: string) =>
    panel.scripted.commands.findLast((argv) => argv.includes(program)) ?? []
  before(async () => {
    panel = await openTestPanel({
      addresses: { resolve: async () => ['192.0.2.7'] },
      scripts: [
        (argv, { onOutput }) => {
          const isCompiled = argv.includes('-d')
          const program = ['tcpdump', 'ping', 'traceroute', 'httping'].find((name) => argv.includes(name))
          if (program === undefined || argv[0] === 'apt-get') return undefined
          const key = isCompiled ? (argv.at(-1) === '--' ? 'open' : 'compile') : program
          if (program === 'tcpdump' && !isCompiled) {
            void onOutput?.(Buffer.from(captured))
            writeFileSync(argv[argv.indexOf('-w') + 1] ?? '', packets)
          }
          const answer = answers[key] ?? {}
          if (program !== 'tcpdump') void onOutput?.(Buffer.from(answer.stdout ?? ''))
          return answer
        },
      ],
    })
    mkdirSync(`${panel.root}/sys/class/net/eth0`, { recursive: true })
    mkdirSync(`${panel.root}/sys/class/net/lo`)
    other = await panel.person({ isAdmin: true })
    await panel.start()
  })
  beforeEach(() => void (answers = {}))
  after(() => panel.close())

  const ask = (method: string, path: string, body?: unknown, as = panel.admin) =>
    panel.request(method, `/api/nettools${path}`, { as, ...(body !== undefined && { body }) })

  test('lists the interfaces', async () => {
    assert.deepEqual((await ask('GET', '/interfaces')).data, ['eth0', 'lo'])
  })

  test('pings the resolved address, within the limits of the contract', async () => {
    answers = { ping: { stdout: pinged } }
    const body = { host: 'example.com', count: 80, size: 70_000, interval: 0.01 }
    const { status, data } = await ask('POST', '/ping', body)
    assert.deepEqual(
      [status, data.replies[0].time_ms, data.stats.loss_pct, data.raw],
      [200, 0.045, 0, pinged],
    )
    const argv = lastRun('ping')
    assert.deepEqual(argv.slice(argv.indexOf('-c')), [
      ...['-c', '50', '-s', '65500', '-i', '0.2', '-W', '5', '--', '192.0.2.7'],
    ])
    await ask('POST', '/ping', { host: 'example.com', count: 0, size: -1, interval: 0 })
    assert.deepEqual(lastRun('ping').slice(argv.indexOf('-c'), -4), ['-c', '4', '-s', '64', '-i', '1'])
    const long = await ask('POST', '/ping', { host: 'example.com', count: 50, interval: 60 })
    assert.deepEqual([long.status, long.error.code], [400, 'bad_request'])
  })

  test('answers 503 where ping or traceroute is missing', async () => {
    const gone = { code: 127, stderr: 'not found' }
    answers = { ping: gone, traceroute: gone }
    for (const path of ['/ping', '/traceroute'])
      assert.equal((await ask('POST', path, { host: 'example.com' })).status, 503)
  })

  test('traces a route', async () => {
    answers = { traceroute: { stdout: 'traceroute to x\n 1  10.0.0.1  0.5 ms  0.4 ms *\n' } }
    const { data } = await ask('POST', '/traceroute', { host: 'example.com', max_hops: 99 })
    assert.deepEqual(data.hops, [{ hop: 1, host: '10.0.0.1', times_ms: [0.5, 0.4, null] }])
    const argv = lastRun('traceroute')
    assert.deepEqual(argv.slice(-3), ['-m', '64', '192.0.2.7'])
  })

  test('tells whether a port answers, as the system does', async () => {
    const { status, data } = await ask('POST', '/portcheck', { host: '127.0.0.1', port: 1 })
    assert.deepEqual([status, data.open], [200, false])
  })

  test('pings over HTTP; a failed tool is a loss of 100 percent', async () => {
    answers = {
      httping: { stdout: '4 connects, 4 ok, 0.00% failed\nround-trip min/avg/max = 0.5/0.6/0.7 ms\n' },
    }
    const { data } = await ask('POST', '/httping', { host: 'example.com' })
    assert.deepEqual(data.stats, { min_ms: '0.5', avg_ms: '0.6', max_ms: '0.7', loss_pct: '0' })
    const argv = lastRun('httping')
    assert.deepEqual(argv, [
      ...['httping', '-c', '4', '-t', '5'],
      ...['--divert-connect', '192.0.2.7', '-g', 'http://example.com/'],
    ])
    answers = { httping: { code: 127, stderr: 'httping: not found' } }
    const gone = (await ask('POST', '/httping', { host: 'https://example.com/a', count: 99 })).data
    assert.deepEqual([gone.stats.loss_pct, gone.lines], ['100', ['httping: not found']])
    assert.equal(typeof (await ask('GET', '/httping/status')).data.installed, 'boolean')
  })

  test(
    'answers install_failed with the message of apt',
    { skip: !isRoot && 'only root installs' },
    async () => {
      const { status, error } = await ask('POST', '/httping/install')
      assert.deepEqual([status, error.code], [500, 'install_failed'])
      assert.match(error.message, /Unable to locate package httping/)
    },
  )

  test('tells the lines of a program as events, and how it ended', async () => {
    const eventsOf = async (path: string, body: object) => {
      const { status, headers, text } = await ask('POST', `${path}/stream`, body)
      assert.deepEqual([status, headers['content-type']], [200, 'text/event-stream'])
      return [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json))
    }
    answers = { ping: { stdout: pinged } }
    const lines = pinged.trimEnd().split('\n')
    assert.deepEqual(await eventsOf('/ping', { host: 'example.com' }), [
      ...lines.map((message) => ({ type: 'line', message })),
      { type: 'end', message: '' },
    ])
    assert.deepEqual(lastRun('ping').slice(-2), ['--', '192.0.2.7'])
    answers = {
      traceroute: { stdout: ' 1  \u001b[2J10.0.0.1', stderr: 'a warning\n' },
      httping: { code: 1, stdout: 'connected\n' },
    }
    assert.deepEqual(await eventsOf('/traceroute', { host: 'example.com', max_hops: 99 }), [
      { type: 'line', message: ' 1   [2J10.0.0.1' },
      { type: 'line', message: 'a warning' },
      { type: 'end', message: '' },
    ])
    assert.deepEqual(lastRun('traceroute').slice(-3), ['-m', '64', '192.0.2.7'])
    assert.deepEqual(await eventsOf('/httping', { host: 'example.com', count: 99 }), [
      { type: 'line', message: 'connected' },
      { type: 'end', message: 'The program ended with the status 1' },
    ])
    answers = { ping: { code: 127, stderr: 'ping: not found' } }
    const [missing] = await eventsOf('/ping', { host: 'example.com' })
    assert.deepEqual(
      [missing.type, missing.message],
      ['error', 'ping is not installed: install iputils-ping under Software'],
    )
  })

  test('reaches every spelling of loopback, as superusers may, and passes an address to the program', async () => {
    answers = { ping: { stdout: pinged }, traceroute: { stdout: '' } }
    // a name of digits is one for the resolver, which the panel asks before the program is started
    const spellings = ['127.1', '0x7f000001', '2130706433', '0177.0.0.1', 'localhost', 'LOCALHOST.', '0']
    for (const path of ['/ping', '/traceroute', '/ping/stream', '/traceroute/stream'])
      for (const host of spellings) {
        assert.equal((await ask('POST', path, { host })).status, 200, `${path} ${host}`)
        assert.equal(lastRun(path.split('/')[1] ?? '').at(-1), '192.0.2.7', `${path} ${host}`)
      }
    for (const [host, address] of [
      ['127.0.0.1', '127.0.0.1'],
      ['::1', '::1'],
      ['[::1]', '::1'],
      ['[::ffff:127.0.0.1]', '::ffff:127.0.0.1'],
      ['::ffff:7f00:1', '::ffff:7f00:1'],
    ] as const) {
      assert.equal((await ask('POST', '/ping', { host })).status, 200, host)
      assert.equal(lastRun('ping').at(-1), address)
    }
  })

  test('refuses hosts that are none, naming the field: bad_request', async () => {
    const bad = ['', '-f', 'a b', 'a;id', '$(id)', 'a|b', 'a\0b', 'a`b', "a'b", 'a&b', 'x'.repeat(2001)]
    const streams = ['/ping/stream', '/traceroute/stream', '/httping/stream']
    for (const path of ['/ping', '/traceroute', '/httping', '/portcheck', ...streams])
      for (const host of bad) {
        const { status, error } = await ask('POST', path, { host, port: 80 })
        assert.deepEqual([status, error.code], [400, 'bad_request'], `${path} ${host}`)
        assert.match(error.message, /^host: /)
      }
    for (const host of [
      'http://',
      'ftp://example.com/',
      'http://[::1]/',
      '[::1]:80',
      'http://a@example.com/',
    ])
      assert.match((await ask('POST', '/httping', { host })).error?.message ?? '', /^host: must be a/, host)
  })

  test('captures packets with the filter as one argument after --', async () => {
    const body = { interface: 'eth0', filter: 'tcp port 80', count: 5000 }
    const { status, data } = await ask('POST', '/capture/start', body)
    assert.equal(status, 200)
    const path = `/capture/${data.session_id}`
    const ended = await until(async () => {
      const { data: now } = await ask('GET', `${path}/status`)
      return now.status === 'done' && now
    })
    assert.deepEqual([ended.packet_count, ended.max_count, ended.error], [1, 1000, ''])
    const [packet] = (await ask('GET', `${path}/packets`)).data
    assert.deepEqual([packet.src_ip, packet.dst_port, packet.protocol], ['10.0.0.1', '80', 'TCP'])
    const argv = lastRun('tcpdump')
    assert.deepEqual(
      [argv.slice(0, 3), argv.slice(-4)],
      [
        ['timeout', '--kill-after=2', '60'],
        ['-c', '1000', '--', 'tcp port 80'],
      ],
    )
    assert.deepEqual((await ask('POST', `${path}/stop`)).data, { success: true })
    const { text, headers } = await ask('GET', `${path}/pcap`)
    assert.deepEqual([text, headers['content-type']], [packets, 'application/vnd.tcpdump.pcap'])
    assert.match(String(headers['content-disposition']), /filename="capture\.pcap"/)
    writeFileSync(argv[argv.indexOf('-w') + 1] ?? '', '')
    assert.equal((await ask('GET', `${path}/pcap`)).error.code, 'not_found')
  })

  test('keeps the message of a capture that failed', async () => {
    answers = { tcpdump: { code: 1, stderr: 'tcpdump: eth0: the device went down' } }
    const { session_id: id } = (await ask('POST', '/capture/start', { interface: 'eth0' })).data
    const ended = await until(async () => {
      const { data } = await ask('GET', `/capture/${id}/status`)
      return data.status === 'error' && data
    })
    assert.equal(ended.error, 'tcpdump: eth0: the device went down')
  })

  test('refuses unknown interfaces, filters that tcpdump refuses, and what it cannot open', async () => {
    const start = (body: object) => ask('POST', '/capture/start', { interface: 'eth0', ...body })
    const unknown = await start({ interface: '-w' })
    assert.deepEqual([unknown.status, unknown.error.message], [400, 'interface: there is no interface -w'])
    answers = { compile: { code: 1, stderr: "tcpdump: can't parse filter expression: syntax error" } }
    const filter = await start({ filter: '-w /x' })
    assert.deepEqual([filter.status, filter.error.code], [400, 'bad_request'])
    assert.match(filter.error.message, /^filter: .*syntax error/)
    assert.equal((await start({ filter: 'x'.repeat(1001) })).status, 400)
    answers = { open: { code: 1, stderr: 'tcpdump: eth0: no permission' } }
    assert.deepEqual((await start({})).error.code, 'start_error')
    answers = { open: { code: 126, stderr: 'spawn failed' } }
    assert.deepEqual((await start({})).error.code, 'pipe_error')
    answers = { open: { code: 127, stderr: 'not found' } }
    assert.equal((await start({})).status, 503)
  })

  test('answers start_error where its file cannot be made, and captures again once it can', async () => {
    mkdirSync(`${panel.root}/run`, { recursive: true })
    rmSync(`${panel.root}/run/hostreeve-captures`, { recursive: true, force: true })
    renameSync(`${panel.root}/run`, `${panel.root}/away`)
    writeFileSync(`${panel.root}/run`, '')
    const { status, error } = await ask('POST', '/capture/start', { interface: 'eth0' })
    assert.deepEqual([status, error?.code], [500, 'start_error'])
    rmSync(`${panel.root}/run`)
    renameSync(`${panel.root}/away`, `${panel.root}/run`)
    assert.equal((await ask('POST', '/capture/start', { interface: 'eth0' })).status, 200)
  })

  test('answers not_found for another session', async () => {
    for (const [method, what] of [
      ['GET', 'packets'],
      ['GET', 'pcap'],
      ['GET', 'status'],
      ['POST', 'stop'],
    ] as const)
      assert.equal((await ask(method, `/capture/none/${what}`)).error.code, 'not_found')
  })

  test('keeps the last ten values of a field for each user, each once, the newest first', async () => {
    for (let at = 1; at <= 12; at++) {
      const { status, json } = await ask('POST', '/history/ping', { value: ` host${at} ` })
      assert.deepEqual([status, json], [200, { ok: true }])
    }
    await ask('POST', '/history/ping', { value: 'host5' })
    const { data } = await ask('GET', '/history/ping')
    assert.deepEqual(data, ['host5', ...[12, 11, 10, 9, 8, 7, 6, 4, 3].map((at) => `host${at}`)])
    assert.deepEqual((await ask('GET', '/history/ping', undefined, other)).data, [])
    assert.deepEqual((await ask('DELETE', '/history/ping')).json, { ok: true })
    assert.deepEqual((await ask('GET', '/history/ping')).data, [])
  })

  test('refuses unknown fields and empty values with flat errors', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, json } = await ask(
        method,
        '/history/other',
        method === 'POST' ? { value: 'x' } : undefined,
      )
      assert.deepEqual([status, json.error], [400, 'invalid field type'], method)
    }
    for (const body of [{}, { value: '  ' }]) {
      const { status, json } = await ask('POST', '/history/trace', body)
      assert.deepEqual([status, json.error], [400, 'value required'])
    }
  })

  test('is for superusers while the plugin is enabled', async () => {
    const person = await panel.person({ permissions: ['administrative_operations'] })
    assert.equal((await ask('GET', '/interfaces', undefined, person)).status, 403)
    assert.equal((await panel.request('GET', '/api/nettools/interfaces')).status, 401)
    await panel.request('POST', '/api/plugins/nettools/disable', { as: panel.admin })
    assert.equal((await ask('GET', '/interfaces')).error.code, 'plugin_disabled')
    await panel.request('POST', '/api/plugins/nettools/enable', { as: panel.admin })
  })
})

describe('a running capture', () => {
  test('is the only one, shows its packets, and ends when it is stopped', async () => {
    const panel = await openTestPanel({
      scripts: [(argv) => (argv.includes('tcpdump') ? {} : undefined)],
    })
    mkdirSync(`${panel.root}/sys/class/net/eth0`, { recursive: true })
    Object.assign(panel.tools.tcpdump, {
      capture: ({ signal }: { readonly signal: AbortSignal }) => {
        const result = new Promise<RunResult>((resolve) => {
          signal.addEventListener('abort', () =>
            resolve({ code: 124, stdout: '', stderr: '', isCut: false, durationMs: 0 }),
          )
        })
        async function* lines() {
          yield captured.trim()
          await result
        }
        return { lines: lines(), result }
      },
    })
    const ask = (method: string, path: string, body?: unknown) =>
      panel.request(method, `/api/nettools${path}`, { as: panel.admin, ...(body !== undefined && { body }) })
    const { session_id: id } = (await ask('POST', '/capture/start', { interface: 'eth0' })).data
    const second = await ask('POST', '/capture/start', { interface: 'eth0' })
    assert.deepEqual([second.status, second.error.code], [409, 'capture_running'])
    await until(async () => (await ask('GET', `/capture/${id}/packets`)).data.length === 1)
    assert.equal((await ask('GET', `/capture/${id}/status`)).data.status, 'running')
    assert.deepEqual((await ask('GET', `/capture/${id}/pcap`)).error.code, 'capture_running')
    await ask('POST', `/capture/${id}/stop`)
    assert.equal((await ask('GET', `/capture/${id}/status`)).data.status, 'done')
    await panel.close()
  })
})
