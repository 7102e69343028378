import { setTimeout as delay } from 'node:timers/promises'
import type { StreamEvent } from '../../core/reply.ts'
import type { ContainerSample } from '../../tools/docker/index.ts'
import type { Containers } from './context.ts'
import type { ContainerStats } from './stats/model.ts'

const intervalMs = 1000
/** Questions to the engine at the same time. */
const atOnce = 10

interface StatsEvent {
  readonly type: 'stats'
  readonly containers: ContainerStats[]
}

/** Yields what the running containers use, or the one with this id, once a second until the reader leaves. */
export async function* followStats(
  on: Containers,
  only: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent<StatsEvent>> {
  let former: ReadonlyMap<string, ContainerSample> = new Map()
  while (!signal.aborted) {
    const running = (await on.docker.listContainers()).filter(
      ({ Id, State }) => State === 'running' && (only === undefined || Id === only),
    )
    const samples = await readSamples(
      on,
      running.map(({ Id }) => Id),
    )
    const containers = running.flatMap(({ Id, Names }) => {
      const sample = samples.get(Id)
      const name = (Names?.[0] ?? '').replace(/^\//, '')
      return sample === undefined ? [] : [{ id: Id, name, ...statsOf(sample, former.get(Id)) }]
    })
    yield { value: { type: 'stats', containers } }
    former = samples
    await delay(intervalMs, undefined, { signal }).catch(() => {}) // the reader has left
  }
}

async function readSamples(
  { docker }: Containers,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ContainerSample>> {
  const samples = new Map<string, ContainerSample>()
  const waiting = [...ids]
  const work = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const sample = await docker.readSample(id).catch(() => undefined) // it stopped meanwhile
      if (sample !== undefined) samples.set(id, sample)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return samples
}

/** The CPU is counted since the former sample, as a part of one core. */
export function statsOf(
  sample: ContainerSample,
  former: ContainerSample | undefined,
): Omit<ContainerStats, 'id' | 'name'> {
  return {
    cpu_percent: former === undefined ? null : cpuPercent(sample, former),
    memory_bytes: sample.memoryBytes,
    memory_limit_bytes: sample.memoryLimitBytes,
    received_bytes: sample.receivedBytes,
    sent_bytes: sample.sentBytes,
    read_bytes: sample.readBytes,
    written_bytes: sample.writtenBytes,
    processes: sample.processes,
  }
}

function cpuPercent(now: ContainerSample, former: ContainerSample): number {
  const used = now.cpuNs - former.cpuNs
  const system = now.systemNs - former.systemNs
  if (used <= 0 || system <= 0) return 0
  return Math.round((used / system) * now.cores * 1000) / 10
}
