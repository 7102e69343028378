import { id, integer, oneOf, ref, text, time } from '../../../store/columns.ts'
import type { Store } from '../../../store/store.ts'
import { type RowOf, table } from '../../../store/table.ts'
import { alertTypes } from '../model.ts'

const notUndone = { left: 'what checks have found is no change', unchecked: [] }

/** Alerts that are still to be sent. Written outside changes. */
export const alerts = table(
  'uptime_alerts',
  {
    id: id(),
    monitor_id: ref('uptime_monitors'),
    event_type: oneOf(alertTypes),
    status: integer(),
    response_time: integer(),
    error: text(500),
    created_at: time(),
  },
  { notUndone },
)

/** What superusers are notified of: one row for all monitors that failed together. Written outside changes. */
export const notices = table(
  'uptime_notices',
  { id: id(), event_type: oneOf(alertTypes), title: text(300), message: text(4000), created_at: time() },
  { notUndone },
)
export type NoticeRow = RowOf<typeof notices>

declare module '../../../store/tables.ts' {
  interface Tables {
    readonly uptime_alerts: RowOf<typeof alerts>
    readonly uptime_notices: NoticeRow
  }
}

/** The queries of alerts. */
export function alertingQueries({ db }: Store) {
  return {
    /** The alerts that are to be sent with their monitors, the oldest first. */
    pendingAlerts: (limit: number) =>
      db
        .selectFrom('uptime_alerts')
        .innerJoin('uptime_monitors', 'uptime_monitors.id', 'uptime_alerts.monitor_id')
        .selectAll('uptime_monitors')
        .select((all) => [
          all.ref('uptime_alerts.id').as('alert_id'),
          all.ref('uptime_alerts.event_type').as('event_type'),
          all.ref('uptime_alerts.status').as('status'),
          all.ref('uptime_alerts.response_time').as('response_time'),
          all.ref('uptime_alerts.error').as('error'),
          all.ref('uptime_alerts.created_at').as('happened_at'),
        ])
        .orderBy('uptime_alerts.id')
        .limit(limit)
        .execute(),
    /** True if a monitor has failed once, and its next check soon tells whether it is down. */
    hasUnconfirmed: async (until: Date): Promise<boolean> =>
      (await db
        .selectFrom('uptime_states')
        .innerJoin('uptime_monitors', 'uptime_monitors.id', 'uptime_states.monitor_id')
        .select('monitor_id')
        .where('is_enabled', '=', 1)
        .where('is_down', '=', 0)
        .where('fail_count', '>', 0)
        .where('state', '=', 'warning')
        .where('next_check', '<=', until.toISOString())
        .limit(1)
        .executeTakeFirst()) !== undefined,
    notices: (since: Date, limit: number): Promise<readonly NoticeRow[]> =>
      db
        .selectFrom('uptime_notices')
        .selectAll()
        .where('created_at', '>', since.toISOString())
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
  }
}
