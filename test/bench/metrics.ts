import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createMetricSamples } from '../../src/areas/system/migrations/202611230100-metric-samples.ts'
import { everySeconds, keptSamples } from '../../src/areas/system/metrics/history.ts'
import { openSampler, type Sampler } from '../../src/areas/system/metrics/sampler.ts'
import { sampleQueries } from '../../src/areas/system/store.ts'
import { openMachine } from '../../src/host/machine.ts'
import { openStore } from '../../src/store/store.ts'
import { openFiles } from '../../src/host/files.ts'
import type { Figure } from './figures.ts'

const savedEvery = 6

/** The CPU time of the sampler of the dashboard on this machine, with a full hour, in percent of one core. */
export async function measureMetrics(isShort: boolean): Promise<readonly Figure[]> {
  const dataDir = mkdtempSync(`${tmpdir()}/hostreeve-metrics-`)
  const store = await openStore({ dataDir, migrations: [createMetricSamples], now: new Date() })
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  let ms = Date.now()
  const clock = { now: () => (ms += everySeconds * 1000), elapsed: () => ms }
  const sampler = openSampler(
    { machine: openMachine(openFiles()), queries: sampleQueries(store), log },
    clock,
  )
  try {
    await take(sampler, keptSamples)
    const count = isShort ? 360 : 3600
    const before = process.cpuUsage()
    await take(sampler, count)
    const { user, system } = process.cpuUsage(before)
    const sampleMs = (user + system) / 1000 / count
    return [
      {
        what: 'sampler: CPU time, of one core',
        value: (sampleMs / (everySeconds * 1000)) * 100,
        unit: '%',
        bound: 0.2,
        loose: 0.2,
        detail: `${sampleMs.toFixed(2)} ms a sample, stored every minute`,
      },
    ]
  } finally {
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function take(sampler: Sampler, count: number): Promise<void> {
  for (let taken = 1; taken <= count; taken++) {
    await sampler.sample()
    if (taken % savedEvery === 0) await sampler.save()
  }
}
