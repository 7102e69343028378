import {
  boolean,
  id,
  integer,
  oneOf,
  optional,
  ref,
  revision,
  secret,
  text,
  time,
} from '../../store/columns.ts'
import type { Tx } from '../../store/database.ts'
import { pruneLimit } from '../../store/prune-limit.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'
import { alertingQueries } from './alerting/store.ts'
import { eventTypes, repetitions } from './model.ts'
import { daysQueries, samplingQueries } from './samples/store.ts'

export const monitors = table(
  'uptime_monitors',
  {
    id: id(),
    name: text(200),
    type: text(20),
    target: text(2000),
    http_method: text(7),
    http_override_ip: text(45),
    http_keyword: text(500),
    http_skip_ssl: boolean(),
    /** Such as `200-299, 401`; empty for 200-399. */
    http_statuses: text(100),
    check_interval: integer(),
    timeout: integer(),
    alert_email: text(254),
    alert_webhook: text(2000),
    webhook_skip_ssl: boolean(),
    /** The key of its signatures; empty for none. */
    sealed_webhook_secret: secret(),
    alert_ai: boolean(),
    is_enabled: boolean(),
    dns_failover: boolean(),
    dns_zone: text(253),
    dns_record_name: text(253),
    dns_record_type: text(10),
    dns_up_ip: text(45),
    dns_down_ip: text(45),
    created_at: time(),
    revision: revision(),
  },
  { noun: 'monitor' },
)
export type MonitorRow = RowOf<typeof monitors>

const notUndone = { left: 'what checks have found is no change', unchecked: [] }

/** What the last checks of a monitor found. Written outside changes, but for `next_check`. */
export const states = table(
  'uptime_states',
  {
    monitor_id: ref('uptime_monitors', { key: true }),
    state: oneOf(['up', 'down', 'warning', 'error']),
    is_down: boolean(),
    last_check: time(),
    last_status: integer(),
    last_response_time: integer(),
    last_error: text(500),
    fail_count: integer(),
    total_checks: integer(),
    down_at: optional(time()),
    recovered_at: optional(time()),
    next_check: time(),
    /** When it went down or up within the last hour, with commas between; the last few. */
    swings: text(500),
    /** True while it goes down and up again and again: there are no alerts then. */
    is_unstable: boolean(),
    /** True while its DNS record has the address for the time when it is down. */
    is_switched: boolean(),
  },
  { notUndone },
)
export type StateRow = RowOf<typeof states>

/** Changes of state and alerts. Written outside changes. */
export const history = table(
  'uptime_history',
  {
    id: id(),
    monitor_id: ref('uptime_monitors'),
    event_type: oneOf(eventTypes),
    status: integer(),
    response_time: integer(),
    error: text(500),
    created_at: time(),
  },
  { notUndone },
)
export type EventRow = RowOf<typeof history>

/** Times in which monitors are not checked. */
export const windows = table(
  'uptime_windows',
  {
    id: id(),
    /** Null for all monitors. */
    monitor_id: optional(ref('uptime_monitors')),
    title: text(200),
    starts_at: time(),
    minutes: integer(),
    repeats: oneOf(repetitions),
    created_at: time(),
  },
  { noun: 'maintenance window' },
)
export type WindowRow = RowOf<typeof windows>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly uptime_monitors: MonitorRow
    readonly uptime_states: StateRow
    readonly uptime_history: EventRow
    readonly uptime_windows: WindowRow
  }
}

const pruned = ['uptime_history', 'uptime_samples', 'uptime_fives', 'uptime_notices'] as const
type Pruned = (typeof pruned)[number]
const keptDays: Readonly<Record<Pruned, number>> = {
  uptime_history: 90,
  uptime_samples: 7,
  uptime_fives: 90,
  uptime_notices: 7,
}
const mostListed = 20_000
const sliceMs = 5 * 60_000

/** Returns this area's queries. */
export function uptimeQueries(store: Store) {
  const { db } = store
  const rows = queriesOf(store, monitors)
  return {
    find: (monitorId: number) => rows.find({ id: monitorId }),
    stateOf: (monitorId: number) => queriesOf(store, states).find({ monitor_id: monitorId }),
    /** The monitors, the newest first. */
    all: () => db.selectFrom('uptime_monitors').selectAll().orderBy('id', 'desc').limit(mostListed).execute(),
    states: () => db.selectFrom('uptime_states').selectAll().execute(),
    /** The enabled monitors whose check is due, the latest first to be checked. */
    due: (now: Date, limit: number, without: ReadonlySet<number>): Promise<readonly MonitorRow[]> =>
      db
        .selectFrom('uptime_monitors')
        .leftJoin('uptime_states', 'uptime_states.monitor_id', 'uptime_monitors.id')
        .selectAll('uptime_monitors')
        .where('is_enabled', '=', 1)
        .where((all) => all.or([all('next_check', 'is', null), all('next_check', '<=', now.toISOString())]))
        .where('uptime_monitors.id', 'not in', [0, ...without])
        .orderBy('next_check', (order) => order.asc().nullsFirst())
        .limit(limit)
        .execute(),
    history: (monitorId: number, limit: number): Promise<readonly EventRow[]> =>
      db
        .selectFrom('uptime_history')
        .selectAll()
        .where('monitor_id', '=', monitorId)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    windows: (): Promise<readonly WindowRow[]> =>
      db.selectFrom('uptime_windows').selectAll().orderBy('id', 'desc').execute(),
    ...alertingQueries(store),
    ...samplingQueries(store),
    ...daysQueries(store),
    /** Removes history and five-minute rows after 90 days and response times after 7, at most one day's worth of each. */
    removeOld: async (now: Date | undefined): Promise<number> => {
      let removed = 0
      for (const name of pruned) removed += await removeBefore(store, name, now)
      return removed
    },
  }
}

export type UptimeQueries = ReturnType<typeof uptimeQueries>

/** Returns the queries of a transaction that records a check. */
export const recordingQueries = (tx: Tx) => ({
  /** False for a monitor that was deleted meanwhile. */
  hasMonitor: async (monitorId: number): Promise<boolean> =>
    (await tx.selectFrom('uptime_monitors').select('id').where('id', '=', monitorId).executeTakeFirst()) !==
    undefined,
  ids: async (): Promise<readonly number[]> =>
    (await tx.selectFrom('uptime_monitors').select('id').execute()).map((row) => row.id),
  /** What the last event of a kind says; undefined if there is none. */
  lastEvent: async (monitorId: number, type: EventRow['event_type']): Promise<string | undefined> =>
    (
      await tx
        .selectFrom('uptime_history')
        .select('error')
        .where('monitor_id', '=', monitorId)
        .where('event_type', '=', type)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
    )?.error,
  state: (monitorId: number): Promise<StateRow | undefined> =>
    tx.selectFrom('uptime_states').selectAll().where('monitor_id', '=', monitorId).executeTakeFirst(),
})

async function removeBefore({ db }: Store, name: Pruned, now: Date | undefined): Promise<number> {
  const { oldest, newest } = await db
    .selectFrom(name)
    .select(({ fn }) => [fn.min('created_at').as('oldest'), fn.max('created_at').as('newest')])
    .executeTakeFirstOrThrow()
  const limit = pruneLimit(now, keptDays[name], { oldest, newest })
  if (limit === undefined || !oldest) return 0
  let removed = 0
  // a day of 10,000 monitors is 14 million rows, and nothing else is stored while some are deleted
  for (let at = Date.parse(oldest); at < Date.parse(limit); at += sliceMs) {
    const before = new Date(at + sliceMs).toISOString()
    const gone = await db
      .deleteFrom(name)
      .where('created_at', '<', before < limit ? before : limit)
      .executeTakeFirst()
    removed += Number(gone.numDeletedRows)
  }
  return removed
}
