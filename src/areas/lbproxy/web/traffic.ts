import { useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { run } from '../../../web/client.ts'
import type * as model from '../model.ts'
import { lbproxy } from './api.ts'
import { type Sample, sampleOf, sumOf } from './sample.ts'

const everyMs = 2000
/** Thousands of rows are megabytes, so they are polled less often. */
const everyMsOfMany = 10_000
const keptMs = 5 * 60_000
const manyRows = 1000

/** The counters and rates of one part. */
export interface Row extends model.Traffic {
  readonly now: Sample
}

/** A snapshot of the counters, by `keyOf`. */
export interface Snapshot {
  readonly isAvailable: boolean
  readonly at: number
  readonly rows: ReadonlyMap<string, Row>
  readonly all: Sample
}

/** The key of the totals of all frontends. */
export const everything = 'all'

/** The time span of the charts, in milliseconds. */
export const chartMs = keptMs

const histories = new Map<string, readonly Sample[]>()
let last: Snapshot | undefined

/** Returns the polling interval for a snapshot of this size. */
export const pauseOf = (snapshot: Snapshot | undefined) =>
  snapshot && snapshot.rows.size > manyRows ? everyMsOfMany : everyMs

/** GET /lbproxy/stats every few seconds while the page is visible. */
export const useTraffic = (isOn: boolean) =>
  useQuery({
    queryKey: ['lbproxy-traffic'],
    queryFn: async ({ signal }) => remember(await run(lbproxy.readStats(), signal), Date.now()),
    refetchInterval: ({ state }) => pauseOf(state.data),
    staleTime: 0,
    structuralSharing: false,
    enabled: isOn,
  })

/** Returns the samples of a part from the last minutes. */
export const historyOf = (key: string): readonly Sample[] => histories.get(key) ?? []

/** Returns the key of a part's metrics. */
export const keyOf = (kind: 'frontend' | 'backend' | 'server', proxy: string, server?: string) =>
  kind === 'server' ? `server ${proxy}/${server}` : `${kind} ${proxy}`

function remember(stats: Static<typeof model.Stats>, at: number): Snapshot {
  const before = last && at - last.at < 3 * everyMsOfMany ? last : undefined
  const rows = new Map<string, Row>()
  for (const row of stats.rows) {
    if (row.kind === 'listener') continue
    const key = keyOf(row.kind, row.proxy, row.server ?? '')
    rows.set(key, { ...row, now: sampleOf(row, at, before && { row: before.rows.get(key), at: before.at }) })
  }
  const all = sumOf([...rows.values()], at)
  const isLarge = rows.size > manyRows
  keep(everything, all)
  for (const [key, row] of rows) if (!isLarge || row.kind !== 'server') keep(key, row.now)
  return (last = { isAvailable: stats.available, at, rows, all })
}

function keep(key: string, sample: Sample): void {
  const from = sample.at - keptMs - everyMsOfMany
  histories.set(key, [...historyOf(key).filter(({ at }) => at >= from), sample])
}
