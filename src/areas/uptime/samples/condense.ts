import { figuresOf } from './figures.ts'
import type { Uptime } from '../parts.ts'
import { recordingQueries } from '../store.ts'
import { days, fives } from './store.ts'

type Condensing = Pick<Uptime, 'store' | 'queries'>

const fiveMs = 5 * 60_000
const dayMs = 86_400_000
/** Checks that ended before may still be stored. */
const storedWithinMs = 30_000
const mostWrites = 500

/** Writes a row for each monitor and five minutes that have ended since the last one; returns how many. */
export async function condenseFives(on: Condensing, now: Date): Promise<number> {
  const { queries } = on
  const latest = await queries.latestFive()
  let from = latest === undefined ? undefined : Date.parse(latest) + fiveMs
  let written = 0
  for (;;) {
    const next = await queries.firstSampleSince(new Date(from ?? 0).toISOString())
    if (next === undefined) return written
    const start = Math.floor(Date.parse(next) / fiveMs) * fiveMs
    if (start + fiveMs + storedWithinMs > now.getTime()) return written
    const created_at = new Date(start).toISOString()
    const found = await queries.samplesBetween(created_at, new Date(start + fiveMs).toISOString())
    const rows = [...Map.groupBy(found, (sample) => sample.monitor_id)].map(([monitor_id, samples]) => {
      const { checks, failed, average, slowest } = figuresOf(samples)
      return fives.row({ monitor_id, created_at, checks, failed, average, slowest })
    })
    await insertAll(on, rows.map(fives.insert))
    written += rows.length
    from = start + fiveMs
  }
}

/** Writes a row for each monitor and day that have ended since the last one; returns how many. */
export async function condenseDays(on: Condensing, now: Date): Promise<number> {
  const { queries } = on
  const latest = await queries.latestDay()
  const first = latest === undefined ? await queries.firstSampleSince('') : undefined
  let start =
    latest === undefined ? dayOf(Date.parse(first ?? now.toISOString())) : Date.parse(latest) + dayMs
  let written = 0
  for (; start + dayMs <= now.getTime(); start += dayMs) {
    const [from, to] = [new Date(start).toISOString(), new Date(start + dayMs).toISOString()]
    const rows = []
    for (const monitor_id of await queries.monitorsCheckedBetween(from, to)) {
      const samples = await queries.samplesOf(monitor_id, from, to)
      const { checks, failed, p50, p95, p99 } = figuresOf(samples)
      rows.push(days.row({ monitor_id, day: from.slice(0, 10), checks, failed, p50, p95, p99 }))
    }
    await insertAll(on, rows.map(days.insert))
    written += rows.length
  }
  return written
}

const dayOf = (time: number): number => Math.floor(time / dayMs) * dayMs

/** Monitors that were deleted meanwhile have no rows any more. */
async function insertAll({ store }: Condensing, writes: readonly ReturnType<typeof fives.insert>[]) {
  for (let at = 0; at < writes.length; at += mostWrites) {
    const part = writes.slice(at, at + mostWrites)
    await store.transaction(async (tx) => {
      const known = new Set(await recordingQueries(tx).ids())
      const kept = part.filter((each) => 'values' in each && known.has(Number(each.values['monitor_id'])))
      await store.write(tx, kept)
    })
  }
}
