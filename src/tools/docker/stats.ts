import Type, { type Static } from 'typebox'
import type { Engine } from './engine.ts'

const Counted = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])
const Sample = Type.Object({
  cpu_stats: Type.Object({
    cpu_usage: Type.Object({ total_usage: Type.Number() }),
    system_cpu_usage: Type.Optional(Type.Number()),
    online_cpus: Type.Optional(Type.Number()),
  }),
  memory_stats: Type.Object({
    usage: Type.Optional(Type.Number()),
    limit: Type.Optional(Type.Number()),
    stats: Type.Optional(Counted),
  }),
  pids_stats: Type.Optional(Type.Object({ current: Type.Optional(Type.Number()) })),
  networks: Type.Optional(
    Type.Record(Type.String(), Type.Object({ rx_bytes: Type.Number(), tx_bytes: Type.Number() })),
  ),
  blkio_stats: Type.Optional(
    Type.Object({
      io_service_bytes_recursive: Type.Optional(
        Type.Union([Type.Array(Type.Object({ op: Type.String(), value: Type.Number() })), Type.Null()]),
      ),
    }),
  ),
})

/** The counters of a container at one moment. */
export interface ContainerSample {
  /** Nanoseconds of CPU time since the container started. */
  readonly cpuNs: number
  /** Nanoseconds of CPU time of the whole host; 0 if the kernel does not tell. */
  readonly systemNs: number
  readonly cores: number
  readonly memoryBytes: number
  readonly memoryLimitBytes: number
  readonly receivedBytes: number
  readonly sentBytes: number
  readonly readBytes: number
  readonly writtenBytes: number
  readonly processes: number
}

/** Reads the counters of a running container once; undefined if it is gone. */
export async function readSample(engine: Engine, id: string): Promise<ContainerSample | undefined> {
  const sample = await engine.find(Sample, `/containers/${id}/stats?stream=false&one-shot=true`)
  return sample && sampleOf(sample)
}

function sampleOf({ cpu_stats: cpu, memory_stats: memory, ...rest }: Static<typeof Sample>): ContainerSample {
  const networks = Object.values(rest.networks ?? {})
  const blocks = rest.blkio_stats?.io_service_bytes_recursive ?? []
  const sumOf = (op: string) =>
    blocks.filter((each) => each.op.toLowerCase() === op).reduce((sum, { value }) => sum + value, 0)
  const droppable = Number(memory.stats?.['inactive_file'] ?? memory.stats?.['total_inactive_file'] ?? 0)
  return {
    cpuNs: cpu.cpu_usage.total_usage,
    systemNs: cpu.system_cpu_usage ?? 0,
    cores: cpu.online_cpus ?? 1,
    memoryBytes: Math.max(0, (memory.usage ?? 0) - droppable),
    memoryLimitBytes: memory.limit ?? 0,
    receivedBytes: networks.reduce((sum, { rx_bytes: bytes }) => sum + bytes, 0),
    sentBytes: networks.reduce((sum, { tx_bytes: bytes }) => sum + bytes, 0),
    readBytes: sumOf('read'),
    writtenBytes: sumOf('write'),
    processes: rest.pids_stats?.current ?? 0,
  }
}
