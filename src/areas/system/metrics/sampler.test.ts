import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { openStore, type Store } from '../../../store/store.ts'
import { createMetricSamples } from '../migrations/202611230100-metric-samples.ts'
import { sampleQueries } from '../store.ts'
import { openSampler, type Sampler } from './sampler.ts'

const start = Date.parse('2026-11-23T00:00:00Z')
const startSeconds = start / 1000
const gibibyte = 1024 ** 3

/** A host whose counters a test sets, with a clock of its own. */
function standInHost() {
  const host = {
    nowMs: start,
    elapsedMs: 5000,
    busy: 1000,
    idle: 9000,
    received: 0,
    interfaces: ['eth0'],
    isBroken: false,
    pass: (seconds: number) => {
      host.nowMs += seconds * 1000
      host.elapsedMs += seconds * 1000
    },
    clock: { now: () => host.nowMs, elapsed: () => host.elapsedMs },
    machine: {
      text: async (path: string) => (host.isBroken ? '' : (textsOf(host)[path] ?? '')),
      localDisks: async () => [
        {
          mount: '/',
          device: '/dev/sda1',
          type: 'ext4',
          size_bytes: 20 * gibibyte,
          used_bytes: 5 * gibibyte,
          available_bytes: 15 * gibibyte,
        },
      ],
    },
  }
  return host
}

function textsOf({
  busy,
  idle,
  received,
  interfaces,
}: Readonly<Record<'busy' | 'idle' | 'received', number>> & {
  readonly interfaces: readonly string[]
}): Readonly<Record<string, string>> {
  const networks = interfaces.map(
    (name) => `  ${name}: ${received} 1 0 0 0 0 0 0 ${received * 2} 1 0 0 0 0 0 0`,
  )
  return {
    '/proc/stat': `cpu  ${busy} 0 0 ${idle} 0 0 0 0 0 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n`,
    '/proc/meminfo': 'MemTotal: 2097152 kB\nMemAvailable: 1572864 kB\n',
    '/proc/loadavg': '0.50 0.40 0.30 1/100 4242\n',
    '/proc/diskstats': `   8       0 sda 10 0 ${received / 512} 5 20 0 ${received / 256} 5 0 5 5\n`,
    '/proc/net/dev': ['Inter-|   Receive', ' face |bytes', ...networks, ''].join('\n'),
  }
}

describe('the sampler', () => {
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (fields: object) => void logged.push(fields),
  }
  let logged: object[] = []
  let folder: string
  let store: Store
  let host: ReturnType<typeof standInHost>
  let sampler: Sampler
  const openOn = async (dataDir: string) =>
    openStore({ dataDir, migrations: [createMetricSamples], now: new Date(start) })
  const open = () => openSampler({ machine: host.machine, queries: sampleQueries(store), log }, host.clock)
  const times = async (since = 0) => (await sampler.since(since)).map(({ ts }) => ts - startSeconds)
  const sampleAfter = async (seconds: number) => {
    host.pass(seconds)
    await sampler.sample()
  }
  before(() => void (folder = mkdtempSync(`${tmpdir()}/hostreeve-sampler-`)))
  after(() => rmSync(folder, { recursive: true, force: true }))
  beforeEach(async () => {
    logged = []
    store = await openOn(mkdtempSync(`${folder}/store-`))
    host = standInHost()
    sampler = open()
  })
  afterEach(() => store.close())

  it('samples the time since the reading before', async () => {
    await sampler.sample()
    assert.deepEqual(await sampler.since(0), [], 'one reading tells no rate')
    host.busy += 250
    host.idle += 750
    host.received += 10 * 1024
    await sampleAfter(10)
    assert.deepEqual(await sampler.since(0), [
      {
        ts: startSeconds + 10,
        cpu: 25,
        load: 0.5,
        mem_mb: 512,
        mem_total_mb: 2048,
        disk_gb: 5,
        disk_total_gb: 20,
        disk_read: 1024,
        disk_write: 2048,
        net_rx: 1024,
        net_tx: 2048,
      },
    ])
  })

  it('keeps an hour of samples, and returns those after a time', async () => {
    await sampler.sample()
    for (let count = 1; count <= 365; count++) await sampleAfter(10)
    const kept = await times()
    assert.deepEqual([kept.length, kept[0], kept.at(-1)], [360, 60, 3650])
    assert.deepEqual(await times(startSeconds + 3630), [3640, 3650])
  })

  it('adds nothing for a counter that is new, was reset or has wrapped', async () => {
    host.received = 5000 * 512
    await sampler.sample()
    host.received = 0
    host.interfaces = ['eth0', 'eth1']
    host.busy = 0
    await sampleAfter(10)
    const [sample] = await sampler.since(0)
    assert.deepEqual([sample?.net_rx, sample?.net_tx, sample?.disk_read, sample?.cpu], [0, 0, 0, 0])
  })

  it('tells rates by a clock that is never set, and its times always ascend', async () => {
    await sampler.sample()
    await sampleAfter(10)
    await sampleAfter(10)
    host.nowMs -= 15_000 // set back: the second sample is in the future now
    host.received += 10 * 1024
    await sampleAfter(10)
    assert.deepEqual(await times(), [10, 15])
    assert.equal((await sampler.since(0)).at(-1)?.net_rx, 1024)
    host.nowMs += 86_400_000
    await sampleAfter(10)
    assert.deepEqual(await times(), [86_425], 'what is older than an hour is gone')
  })

  it('ignores a second reading within the same second', async () => {
    await sampler.sample()
    await sampleAfter(0.5)
    assert.deepEqual(await times(), [])
    await sampleAfter(10)
    assert.deepEqual(await times(), [10])
  })

  it('continues after a restart with the samples that were stored, and without those of the future', async () => {
    await sampler.sample()
    for (let count = 1; count <= 3; count++) await sampleAfter(10)
    await sampler.save()
    host.nowMs -= 10_000
    host.pass(5)
    sampler = open()
    assert.deepEqual(await times(), [10, 20])
    await sampler.sample()
    await sampleAfter(10)
    await sampler.save()
    assert.deepEqual(await times(), [10, 20, 35])
    sampler = open()
    assert.deepEqual(await times(), [10, 20, 35])
  })

  it('stores samples every minute and when it stops, and keeps no more than an hour of them', async () => {
    await sampler.sample()
    for (let count = 1; count <= 365; count++) {
      await sampleAfter(10)
      if (count % 6 === 0) await sampler.save()
    }
    await sampler.start().stop()
    const rows = await store.db.selectFrom('metric_samples').select('ts').orderBy('ts').execute()
    assert.deepEqual(
      [rows.length, rows[0]?.ts, rows.at(-1)?.ts],
      [360, startSeconds + 60, startSeconds + 3650],
    )
  })

  it('logs a failure, and goes on', async () => {
    host.isBroken = true
    await sampler.start().stop()
    assert.equal(logged.length, 1)
    host.isBroken = false
    await sampler.sample()
    await sampleAfter(10)
    assert.deepEqual(await times(), [10])
  })
})
