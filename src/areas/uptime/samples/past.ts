import type { Deciding } from '../../../core/endpoint.ts'
import type { Monitoring } from '../context.ts'
import { availabilityOf, figuresOf } from './figures.ts'
import type { DailyAvailability, ResponseTimes, Sparklines } from '../model.ts'
import { assertEnabled, loadMonitor } from '../monitors.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

type Now = Pick<Deciding, 'now'>

/** Returns the availability and response times of each day, the newest first; today's are those so far. */
export async function readAvailability(
  on: Monitoring,
  id: number,
  { days, now }: Now & { readonly days: number },
): Promise<DailyAvailability> {
  assertEnabled(on)
  await loadMonitor(on, id)
  const first = new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10)
  const stored = await on.queries.daysOf(id, first)
  const [latest] = stored
  const since = latest === undefined ? first : new Date(Date.parse(latest.day) + dayMs).toISOString()
  const samples = await on.queries.samplesOf(id, since, new Date(now.getTime() + dayMs).toISOString())
  const recent = Map.groupBy(samples, (sample) => sample.created_at.slice(0, 10))
  const uncondensed = [...recent].map(([day, ofDay]) => ({ day, ...figuresOf(ofDay) }))
  const all = [...uncondensed, ...stored].toSorted((one, other) => (one.day < other.day ? 1 : -1))
  return {
    days: all.slice(0, days).map(({ day, checks, failed, p50, p95, p99 }) => ({
      ...{ day, checks, failed, availability: availabilityOf({ checks, failed }), p50, p95, p99 },
    })),
  }
}

/** Returns the response times of each five minutes, the oldest first. */
export async function readResponseTimes(
  on: Monitoring,
  id: number,
  { hours, now }: Now & { readonly hours: number },
): Promise<ResponseTimes> {
  assertEnabled(on)
  await loadMonitor(on, id)
  const rows = await on.queries.fivesOf(id, new Date(now.getTime() - hours * hourMs).toISOString())
  return {
    points: rows.map(({ created_at: time, checks, failed, average, slowest }) => ({
      ...{ time, checks, failed, average, slowest },
    })),
  }
}

/** Returns the hours of the last day of several monitors, for a small chart each. */
export async function readSparklines(
  on: Monitoring,
  ids: readonly number[],
  { now }: Now,
): Promise<Sparklines> {
  assertEnabled(on)
  const rows = await on.queries.fivesOfAll(ids, new Date(now.getTime() - dayMs).toISOString())
  const byMonitor = Map.groupBy(rows, (row) => row.monitor_id)
  const sparklines = [...byMonitor].map(([monitor_id, fives]) => ({ monitor_id, hours: hoursOf(fives) }))
  return { sparklines }
}

interface Five {
  readonly created_at: string
  readonly checks: number
  readonly failed: number
  readonly average: number
}

/** Joins five minutes to hours; an average counts for as many checks as it is of. */
export function hoursOf(fives: readonly Five[]) {
  const byHour = Map.groupBy(fives, ({ created_at: time }) => `${time.slice(0, 13)}:00:00.000Z`)
  return [...byHour].map(([time, ofHour]) => {
    const sum = (of: (five: Five) => number) => ofHour.reduce((total, five) => total + of(five), 0)
    const [checks, failed] = [sum((five) => five.checks), sum((five) => five.failed)]
    const total = sum((five) => five.average * (five.checks - five.failed))
    return { time, checks, failed, average: checks === failed ? 0 : Math.round(total / (checks - failed)) }
  })
}
