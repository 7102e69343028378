import Type from 'typebox'
import { integer, json, ref, text } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { type RowOf, table } from '../../store/table.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type HourOfTraffic, type LogPosition, withPath } from '../../tools/nginx/index.ts'

const SlowPaths = Type.Array(Type.Object({ path: Type.String(), seconds: Type.Number() }))
const notTold = { left: 'what visitors did is no change', unchecked: [] }

/** The requests of a website in one hour. Written outside changes. */
export const websiteTraffic = table(
  'website_traffic',
  {
    website_id: ref('websites', { key: true }),
    /** In UTC, such as `2026-11-24T04`. */
    hour: text(13, { key: true }),
    requests: integer(),
    bytes: integer(),
    status_1xx: integer(),
    status_2xx: integer(),
    status_3xx: integer(),
    status_4xx: integer(),
    status_5xx: integer(),
    slowest: json(SlowPaths),
  },
  { notUndone: notTold },
)

/** How far the log of a website was read. Written outside changes. */
export const logPositions = table(
  'website_log_positions',
  { website_id: ref('websites', { key: true }), inode: integer(), read_bytes: integer() },
  { notUndone: notTold },
)

declare module '../../store/tables.ts' {
  interface Tables {
    readonly website_traffic: RowOf<typeof websiteTraffic>
    readonly website_log_positions: RowOf<typeof logPositions>
  }
}

/** The traffic of one hour, named. */
export interface TrafficHour extends HourOfTraffic {
  readonly hour: string
}

interface Read {
  readonly position: LogPosition
  readonly hours: ReadonlyMap<string, HourOfTraffic>
}

/** Adds what was read from the log of a website, unless somebody else has read it meanwhile. */
function addRead(
  store: Store,
  website_id: number,
  { since, position, hours }: Read & { readonly since: LogPosition | null },
): Promise<void> {
  return store.transaction(async (tx) => {
    const ofSite = tx.selectFrom('website_log_positions').selectAll().where('website_id', '=', website_id)
    const found = await ofSite.executeTakeFirst()
    const isSame = (found?.inode ?? null) === (since?.inode ?? null)
    if (!isSame || (found?.read_bytes ?? 0) !== (since?.offset ?? 0)) return
    const site = await tx.selectFrom('websites').select('id').where('id', '=', website_id).executeTakeFirst()
    if (site === undefined) return // it was deleted meanwhile
    for (const [hour, added] of hours) {
      const stored = tx.selectFrom('website_traffic').selectAll().where('website_id', '=', website_id)
      const row = await stored.where('hour', '=', hour).executeTakeFirst()
      const sum = row === undefined ? added : sumOf(hourOf(row), added)
      await store.write(tx, [
        websiteTraffic.delete({ website_id, hour }),
        websiteTraffic.insert(rowOf(website_id, hour, sum)),
      ])
    }
    await store.write(tx, [
      logPositions.delete({ website_id }),
      logPositions.insert({ website_id, inode: position.inode, read_bytes: position.offset }),
    ])
  })
}

/** Returns this area's queries. */
export function trafficQueries(store: Store) {
  const { db } = store
  const positions = queriesOf(store, logPositions)
  return {
    /** Returns how far a log was read; null if it never was. */
    position: async (websiteId: number): Promise<LogPosition | null> => {
      const found = await positions.find({ website_id: websiteId })
      return found === undefined ? null : { inode: found.inode, offset: found.read_bytes }
    },
    /** Returns the hours of a website since one of them. */
    since: async (websiteId: number, hour: string): Promise<readonly TrafficHour[]> => {
      const rows = await db
        .selectFrom('website_traffic')
        .selectAll()
        .where('website_id', '=', websiteId)
        .where('hour', '>=', hour)
        .orderBy('hour')
        .execute()
      return rows.map(hourOf)
    },
    sites: () => db.selectFrom('websites').select(['id', 'domain']).orderBy('id').execute(),
    add: (websiteId: number, since: LogPosition | null, read: Read) =>
      addRead(store, websiteId, { since, ...read }),
    /** Removes the hours before one of them. */
    forgetBefore: (hour: string) =>
      store.transaction(async (tx) => {
        await tx.deleteFrom('website_traffic').where('hour', '<', hour).execute()
      }),
  }
}

export type TrafficQueries = ReturnType<typeof trafficQueries>

function hourOf(row: RowOf<typeof websiteTraffic>): TrafficHour {
  const { hour, requests, bytes, status_1xx, status_2xx, status_3xx, status_4xx, status_5xx } = row
  return {
    hour,
    requests,
    bytes,
    statuses: [status_1xx, status_2xx, status_3xx, status_4xx, status_5xx],
    slowest: websiteTraffic.show(row).slowest,
  }
}

function rowOf(website_id: number, hour: string, { requests, bytes, statuses, slowest }: HourOfTraffic) {
  const [status_1xx, status_2xx, status_3xx, status_4xx, status_5xx] = statuses
  return websiteTraffic.row({
    ...{ website_id, hour, requests, bytes, slowest: [...slowest] },
    ...{ status_1xx, status_2xx, status_3xx, status_4xx, status_5xx },
  })
}

/** Returns the traffic of an hour that was read in two parts. */
export function sumOf(one: HourOfTraffic, other: HourOfTraffic): HourOfTraffic {
  const [a, b, c, d, e] = one.statuses.map((count, at) => count + other.statuses[at]!)
  return {
    requests: one.requests + other.requests,
    bytes: one.bytes + other.bytes,
    statuses: [a!, b!, c!, d!, e!],
    slowest: other.slowest.reduce<HourOfTraffic['slowest']>(withPath, one.slowest),
  }
}
