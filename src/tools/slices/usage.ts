import type { Host } from '../../host/index.ts'
import { sliceOf } from './set-slice.ts'

/** What the processes of an account use now; null where nothing runs, or the kernel does not count it. */
export interface SliceUsage {
  readonly memoryBytes: number | null
  readonly tasks: number | null
  /** Since the first of them started. */
  readonly cpuSeconds: number | null
}

const properties = 'Id,MemoryCurrent,TasksCurrent,CPUUsageNSec'

/** Reads what the processes of accounts use together, by uid; empty without systemd. */
export async function readUsage(
  { run, services }: Pick<Host, 'run' | 'services'>,
  uids: readonly number[],
): Promise<ReadonlyMap<number, SliceUsage>> {
  if (uids.length === 0 || (await services.detect()).kind !== 'systemd') return new Map()
  const { stdout } = await run(
    ['systemctl', 'show', `--property=${properties}`, '--', ...uids.map((uid) => sliceOf(uid))],
    { timeoutMs: 10_000, maxBytes: 4 * 1024 * 1024 },
  )
  const byUnit = new Map(stdout.split('\n\n').map((block) => [textOf(block, 'Id'), usageOf(block)]))
  return new Map(
    uids.flatMap((uid) => {
      const found = byUnit.get(sliceOf(uid))
      return found === undefined ? [] : [[uid, found]]
    }),
  )
}

const textOf = (block: string, name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(block)?.[1]

function usageOf(block: string): SliceUsage {
  const valueOf = (name: string) => {
    const value = textOf(block, name) ?? ''
    // systemd prints the largest number for "not counted"
    return /^\d{1,18}$/.test(value) ? Number(value) : null
  }
  const nanoseconds = valueOf('CPUUsageNSec')
  return {
    memoryBytes: valueOf('MemoryCurrent'),
    tasks: valueOf('TasksCurrent'),
    cpuSeconds: nanoseconds === null ? null : Math.round(nanoseconds / 1e6) / 1000,
  }
}
