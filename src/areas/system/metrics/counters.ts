import type { SystemInfo } from '../model.ts'
import { parseMemory } from '../parse.ts'

/** Two counters that only grow, of one disk or network interface. */
interface Pair {
  readonly in: number
  readonly out: number
}
export type Pairs = ReadonlyMap<string, Pair>

/** What the kernel counted until a moment. */
export interface Counters {
  /** Milliseconds of a clock that is never set. */
  readonly at: number
  /** Time of all processors in ticks. */
  readonly cpu: { readonly busy: number; readonly total: number }
  readonly memory: SystemInfo['memory']
  readonly load: number
  /** Bytes read (in) and written (out). */
  readonly disks: Pairs
  /** Bytes received (in) and sent (out). */
  readonly networks: Pairs
}

/** The files of /proc that a sample reads, in the order of `parseCounters`. */
export const counterFiles = ['stat', 'meminfo', 'loadavg', 'diskstats', 'net/dev'] as const

/** Parses the files of /proc (proc(5)); fails where those of processors or memory are missing. */
export function parseCounters(texts: readonly string[], at: number): Counters {
  const [stat = '', meminfo = '', loadavg = '', diskstats = '', netDev = ''] = texts
  const memory = parseMemory(meminfo)
  if (memory.total_bytes === 0) throw new Error('/proc/meminfo has no size of the memory')
  return {
    at,
    cpu: parseCpu(stat),
    memory,
    load: Number.parseFloat(loadavg) || 0,
    disks: parseDisks(diskstats),
    networks: parseNetworks(netDev),
  }
}

/** The time of guests is part of that of users; a processor that waits for a disk is idle. */
function parseCpu(text: string): Counters['cpu'] {
  const found = /^cpu +(.*)$/m.exec(text)?.[1]
  if (found === undefined) throw new Error('/proc/stat has no time of all processors')
  const ticks = found.split(' ').slice(0, 8).map(Number)
  const total = ticks.reduce((sum, each) => sum + each, 0)
  return { busy: total - (ticks[3] ?? 0) - (ticks[4] ?? 0), total }
}

const sectorBytes = 512
/** Their bytes are counted again at the disks below them, or never reach a disk. */
const notDisks = /^(?:loop|ram|zram|dm-|md|sr|fd|nbd|drbd)\d/

/** Whole disks; a partition is a disk of the list with a number after its name. */
export function parseDisks(text: string): Pairs {
  const rows = text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields.length >= 10 && !notDisks.test(fields[2] ?? ''))
  const names = new Set(rows.map((fields) => fields[2] ?? ''))
  const isPartition = (name: string) => {
    const disk = name.replace(/(?<=\d)p\d+$|(?<=[a-z])\d+$/, '')
    return disk !== name && names.has(disk)
  }
  return new Map(
    rows.flatMap((fields) => {
      const name = fields[2] ?? ''
      if (isPartition(name)) return []
      return [[name, { in: Number(fields[5]) * sectorBytes, out: Number(fields[9]) * sectorBytes }] as const]
    }),
  )
}

/** Their bytes are counted again at the interface below them, or never leave the host. */
const notNetworks =
  /^(?:lo$|veth|br-|docker|virbr|vnet|tap|tun|wg|bond|team|dummy|ifb|tailscale|cni|flannel|cali)|\./

/** Interfaces that carry the traffic of the host. */
export function parseNetworks(text: string): Pairs {
  return new Map(
    text.split('\n').flatMap((line) => {
      const [, name, counts] = /^\s*([^\s:]+):\s*(.*)$/.exec(line) ?? []
      if (name === undefined || counts === undefined || notNetworks.test(name)) return []
      const fields = counts.split(/\s+/).map(Number)
      return [[name, { in: fields[0] ?? 0, out: fields[8] ?? 0 }] as const]
    }),
  )
}
