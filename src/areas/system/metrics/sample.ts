import type { MetricSample } from '../model.ts'
import type { Counters, Pairs } from './counters.ts'

const mebibyte = 1024 ** 2
const gibibyte = 1024 ** 3

interface Moment {
  /** Unix seconds. */
  readonly ts: number
  readonly disks: readonly { readonly size_bytes: number; readonly used_bytes: number }[]
}

/** Returns the sample of the time between two readings. */
export function sampleOf(before: Counters, after: Counters, { ts, disks }: Moment): MetricSample {
  const seconds = (after.at - before.at) / 1000
  const disk = rateOf(before.disks, after.disks, seconds)
  const network = rateOf(before.networks, after.networks, seconds)
  const { total_bytes: memory, available_bytes: available } = after.memory
  const sum = (of: (disk: Moment['disks'][number]) => number) =>
    Math.round(disks.reduce((bytes, each) => bytes + of(each), 0) / gibibyte)
  return {
    ts,
    cpu: busyPercent(before.cpu, after.cpu),
    load: after.load,
    mem_mb: Math.round((memory - available) / mebibyte),
    mem_total_mb: Math.round(memory / mebibyte),
    disk_gb: sum((each) => each.used_bytes),
    disk_total_gb: sum((each) => each.size_bytes),
    disk_read: disk.in,
    disk_write: disk.out,
    net_rx: network.in,
    net_tx: network.out,
  }
}

/** The time of idle processors may go back a little (proc(5)). */
function busyPercent(before: Counters['cpu'], after: Counters['cpu']): number {
  const total = after.total - before.total
  if (total <= 0) return 0
  const percent = Math.min(1, Math.max(0, (after.busy - before.busy) / total)) * 100
  return Math.round(percent * 10) / 10
}

/**
 * Bytes per second. A counter that is new, or lower than before because its interface was made again or it has wrapped,
 * tells nothing about this time and adds nothing.
 */
function rateOf(before: Pairs, after: Pairs, seconds: number) {
  const grown = (side: 'in' | 'out') =>
    [...after].reduce((sum, [name, pair]) => {
      const was = before.get(name)?.[side]
      return was === undefined || pair[side] < was ? sum : sum + pair[side] - was
    }, 0)
  return { in: Math.round(grown('in') / seconds), out: Math.round(grown('out') / seconds) }
}
