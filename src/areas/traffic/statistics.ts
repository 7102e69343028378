import { type HourOfTraffic, withPath } from '../../tools/nginx/index.ts'
import type { LoadedWebsite } from '../websites/index.ts'
import type { Traffic } from './context.ts'
import type { Statistics } from './model.ts'
import { sumOf, type TrafficHour } from './store.ts'

const hourMs = 3_600_000

/** The hour of a time in UTC, such as `2026-11-24T04`. */
export const hourAt = (time: number): string => new Date(time).toISOString().slice(0, 13)

const nothing: HourOfTraffic = { requests: 0, bytes: 0, statuses: [0, 0, 0, 0, 0], slowest: [] }

interface Asked {
  readonly now: Date
  readonly hours: number
  readonly signal: AbortSignal
}

/** Returns the traffic of a website in the last hours, with what was logged since it was collected; stores nothing. */
export async function readStatistics(
  { queries, nginx }: Traffic,
  { id, domain }: LoadedWebsite,
  { now, hours, signal }: Asked,
): Promise<Statistics> {
  const first = hourAt(now.getTime() - (hours - 1) * hourMs)
  const since = await queries.position(id)
  const stored = await queries.since(id, first)
  const fresh = await nginx.readTraffic(domain, since, signal)
  const found = joined(stored, fresh.hours).filter(({ hour }) => hour >= first)
  const whole = found.reduce<HourOfTraffic>(sumOf, nothing)
  return {
    from: startOf(first),
    ...countsOf(whole),
    hours: found.map((each) => ({ start: startOf(each.hour), ...countsOf(each) })),
    slowest: [...whole.slowest.reduce<HourOfTraffic['slowest']>(withPath, [])],
  }
}

const startOf = (hour: string): string => `${hour}:00:00.000Z`

function joined(
  stored: readonly TrafficHour[],
  fresh: ReadonlyMap<string, HourOfTraffic>,
): readonly TrafficHour[] {
  const byHour = new Map<string, HourOfTraffic>(stored.map((each) => [each.hour, each]))
  for (const [hour, added] of fresh) byHour.set(hour, sumOf(byHour.get(hour) ?? nothing, added))
  return [...byHour]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([hour, each]) => ({ ...each, hour }))
}

function countsOf({ requests, bytes, statuses }: HourOfTraffic) {
  const [informational, successful, redirects, ofVisitors, ofWebsite] = statuses
  return {
    requests,
    bytes,
    statuses: {
      '1xx': informational,
      '2xx': successful,
      '3xx': redirects,
      '4xx': ofVisitors,
      '5xx': ofWebsite,
    },
  }
}
