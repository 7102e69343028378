import assert from 'node:assert/strict'
import os from 'node:os'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import type { MetricSample } from './model.ts'
import { parseMemory, parseOsRelease } from './parse.ts'
import { sampleQueries } from './store.ts'

const idle: MetricSample = {
  ts: 0,
  cpu: 1.5,
  load: 0.25,
  mem_mb: 512,
  mem_total_mb: 2048,
  disk_gb: 3,
  disk_total_gb: 20,
  disk_read: 0,
  disk_write: 4096,
  net_rx: 1000,
  net_tx: 2000,
}

const own = ['127.0.0.1', '::1', 'fe80::1', '10.0.0.5', '203.0.113.7', '2001:db8::7']

describe('system', () => {
  let panel: TestPanel
  before(async () => void (panel = await openTestPanel({ addresses: { own: () => own } })))
  after(() => panel.close())

  test('tells any signed-in user what this host is', async () => {
    const { status, data } = await panel.request('GET', '/api/system/info', { as: await panel.person() })
    assert.equal(status, 200)
    assert.deepEqual(
      [data.hostname, data.architecture, data.cpu.cores, data.panel.version],
      [os.hostname(), os.arch(), os.cpus().length, '0.0.0-test'],
    )
    assert.ok(data.memory.total_bytes > data.memory.available_bytes && data.memory.available_bytes > 0)
    assert.equal(data.load.length, 3)
    assert.deepEqual(
      [data.panel.user, data.panel.is_root],
      [os.userInfo().username, process.getuid?.() === 0],
    )
  })

  test('shows the samples of the last hour that a former process stored, to any signed-in user', async () => {
    const now = Math.floor(Date.now() / 1000)
    const samples = [now - 4000, now - 600, now - 20].map((ts) => ({ ...idle, ts }))
    await sampleQueries(panel.store).append(samples.slice(0, 1), 0)
    await sampleQueries(panel.store).append(samples.slice(1), now - 4000)
    const as = await panel.person()
    const { status, data } = await panel.request('GET', '/api/system/metrics', { as })
    assert.deepEqual([status, data], [200, { every_seconds: 10, samples: samples.slice(1) }])
    const since = await panel.request('GET', `/api/system/metrics?since=${now - 600}`, { as })
    assert.deepEqual(since.data.samples, samples.slice(2))
  })

  test('refuses a time that is none, and callers without a credential', async () => {
    for (const since of ['-1', 'yesterday', '1.5'])
      assert.deepEqual(
        (await panel.request('GET', `/api/system/metrics?since=${since}`, { as: panel.admin })).error,
        { code: 'bad_request', message: 'since: must be a Unix time in seconds' },
      )
    assert.equal((await panel.request('GET', '/api/system/metrics')).error.code, 'unauthorized')
  })

  test('lists the IPv4 addresses of this host to any signed-in user, without loopback', async () => {
    const { data } = await panel.request('GET', '/api/system/ips', { as: await panel.person() })
    assert.deepEqual(data, { ips: ['10.0.0.5', '203.0.113.7'] })
  })

  test('asks for a credential', async () => {
    assert.equal((await panel.request('GET', '/api/system/info')).error.code, 'unauthorized')
  })
})

test('reads the name of a distribution, quoted or not, and says Linux where there is none', () => {
  assert.equal(
    parseOsRelease('NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n'),
    'Debian GNU/Linux 12 (bookworm)',
  )
  assert.equal(parseOsRelease("PRETTY_NAME='Void Linux'\n"), 'Void Linux')
  assert.equal(parseOsRelease('PRETTY_NAME=Alpine\n'), 'Alpine')
  assert.equal(parseOsRelease(''), 'Linux')
})

test('reads memory in bytes, and zero for what a kernel does not tell', () => {
  const text =
    'MemTotal:       24600576 kB\nMemFree:         100 kB\nMemAvailable:   20000000 kB\nSwapTotal:      1024 kB\n'
  assert.deepEqual(parseMemory(text), {
    total_bytes: 24_600_576 * 1024,
    available_bytes: 20_000_000 * 1024,
    swap_total_bytes: 1_048_576,
    swap_free_bytes: 0,
  })
})
