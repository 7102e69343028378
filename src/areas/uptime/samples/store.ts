import { boolean, id, integer, ref, text, time } from '../../../store/columns.ts'
import type { Store } from '../../../store/store.ts'
import { type RowOf, table } from '../../../store/table.ts'

const notUndone = { left: 'what checks have found is no change', unchecked: [] }

/** One row for each check. Written outside changes. */
export const samples = table(
  'uptime_samples',
  {
    id: id(),
    monitor_id: ref('uptime_monitors'),
    is_ok: boolean(),
    response_time: integer(),
    created_at: time(),
  },
  { notUndone },
)

/** Five minutes of a monitor, which began at `created_at`. Written outside changes. */
export const fives = table(
  'uptime_fives',
  {
    monitor_id: ref('uptime_monitors', { key: true }),
    created_at: text(30, { key: true }),
    checks: integer(),
    failed: integer(),
    average: integer(),
    slowest: integer(),
  },
  { notUndone },
)

/** A day (UTC) of a monitor, kept as long as the monitor. Written outside changes. */
export const days = table(
  'uptime_days',
  {
    monitor_id: ref('uptime_monitors', { key: true }),
    day: text(10, { key: true }),
    checks: integer(),
    failed: integer(),
    p50: integer(),
    p95: integer(),
    p99: integer(),
  },
  { notUndone },
)

declare module '../../../store/tables.ts' {
  interface Tables {
    readonly uptime_samples: RowOf<typeof samples>
    readonly uptime_fives: RowOf<typeof fives>
    readonly uptime_days: RowOf<typeof days>
  }
}

/** The queries of response times. */
export function samplingQueries({ db }: Store) {
  return {
    /** The samples of a monitor from one time to before another, the oldest first. */
    samplesOf: (monitorId: number, from: string, to: string) =>
      db
        .selectFrom('uptime_samples')
        .select(['is_ok', 'response_time', 'created_at'])
        .where('monitor_id', '=', monitorId)
        .where('created_at', '>=', from)
        .where('created_at', '<', to)
        .orderBy('created_at')
        .execute(),
    samplesBetween: (from: string, to: string) =>
      db
        .selectFrom('uptime_samples')
        .select(['monitor_id', 'is_ok', 'response_time'])
        .where('created_at', '>=', from)
        .where('created_at', '<', to)
        .execute(),
    monitorsCheckedBetween: async (from: string, to: string): Promise<readonly number[]> => {
      const found = await db
        .selectFrom('uptime_samples')
        .select('monitor_id')
        .distinct()
        .where('created_at', '>=', from)
        .where('created_at', '<', to)
        .execute()
      return found.map((row) => row.monitor_id)
    },
    firstSampleSince: async (since: string): Promise<string | undefined> => {
      const found = await db
        .selectFrom('uptime_samples')
        .select('created_at')
        .where('created_at', '>=', since)
        .orderBy('created_at')
        .limit(1)
        .executeTakeFirst()
      return found?.created_at
    },
  }
}

/** The queries of what is condensed. */
export function daysQueries({ db }: Store) {
  return {
    latestFive: async (): Promise<string | undefined> => {
      const newest = db.selectFrom('uptime_fives').select(({ fn }) => fn.max('created_at').as('at'))
      return (await newest.executeTakeFirst())?.at ?? undefined
    },
    latestDay: async (): Promise<string | undefined> => {
      const newest = db.selectFrom('uptime_days').select(({ fn }) => fn.max('day').as('at'))
      return (await newest.executeTakeFirst())?.at ?? undefined
    },
    fivesOf: (monitorId: number, since: string) =>
      db
        .selectFrom('uptime_fives')
        .selectAll()
        .where('monitor_id', '=', monitorId)
        .where('created_at', '>=', since)
        .orderBy('created_at')
        .execute(),
    /** The five minutes of several monitors, the oldest first. */
    fivesOfAll: (monitorIds: readonly number[], since: string) =>
      db
        .selectFrom('uptime_fives')
        .select(['monitor_id', 'created_at', 'checks', 'failed', 'average'])
        .where('monitor_id', 'in', [0, ...monitorIds])
        .where('created_at', '>=', since)
        .orderBy('created_at')
        .execute(),
    /** The days of several monitors, the newest first. */
    daysOfAll: (monitorIds: readonly number[], since: string) =>
      db
        .selectFrom('uptime_days')
        .select(['monitor_id', 'day', 'checks', 'failed'])
        .where('monitor_id', 'in', [0, ...monitorIds])
        .where('day', '>=', since)
        .orderBy('day', 'desc')
        .execute(),
    /** The newest first. */
    daysOf: (monitorId: number, since: string) =>
      db
        .selectFrom('uptime_days')
        .selectAll()
        .where('monitor_id', '=', monitorId)
        .where('day', '>=', since)
        .orderBy('day', 'desc')
        .execute(),
  }
}
