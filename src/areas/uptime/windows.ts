import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { lock } from '../../core/lock.ts'
import type { Monitoring } from './context.ts'
import type { MaintenanceWindow, WindowDraft } from './model.ts'
import { assertEnabled, loadMonitor } from './monitors.ts'
import { TooManyWindows, WindowInvalid } from './problems.ts'
import { isActive, minuteMs, periodMs } from './maintenance.ts'
import { type WindowRow, windows } from './store.ts'

const windowLock = lock('uptime_window')
const mostWindows = 200
type Now = Pick<Deciding, 'now'>

/** Lists the maintenance windows, the newest first. */
export async function listWindows(on: Monitoring, { now }: Now): Promise<{ windows: MaintenanceWindow[] }> {
  assertEnabled(on)
  return { windows: (await on.queries.windows()).map((row) => showWindow(row, now)) }
}

/** Plans a maintenance window, of one monitor or of all. */
export async function planWindow(
  on: Monitoring,
  { monitor_id = null, ...draft }: WindowDraft,
  { id, now }: Now & Pick<Deciding, 'id'>,
): Promise<Change<MaintenanceWindow>> {
  assertEnabled(on)
  const monitor = monitor_id === null ? undefined : await loadMonitor(on, monitor_id)
  if (draft.minutes * minuteMs >= periodMs[draft.repeats])
    throw WindowInvalid(`minutes: must be below ${periodMs[draft.repeats] / minuteMs}, so that it ends`)
  if ((await on.queries.windows()).length >= mostWindows) throw TooManyWindows()
  const row = windows.row({
    ...draft,
    monitor_id,
    starts_at: new Date(draft.starts_at).toISOString(),
    id: id(windows.name),
    created_at: now.toISOString(),
  })
  return change({
    summary: `Plan maintenance of ${monitor === undefined ? 'all monitors' : `the monitor ${monitor.name}`}`,
    rows: [windows.insert(row)],
    reply: showWindow(row, now),
  })
}

/** Deletes a maintenance window; an unknown one is deleted already. */
export async function deleteWindow(on: Monitoring, id: number): Promise<Change<{ message: string }>> {
  assertEnabled(on)
  const row = (await on.queries.windows()).find((each) => each.id === id)
  return change({
    summary:
      row === undefined ? `There is no maintenance window ${id}` : `Delete the maintenance ${row.title}`,
    locks: [windowLock(String(id))],
    rows: row === undefined ? [] : [windows.delete({ id })],
    reply: { message: 'Maintenance deleted' },
  })
}

const showWindow = (row: WindowRow, now: Date): MaintenanceWindow => ({
  ...windows.show(row),
  is_active: isActive(row, now),
})
