import type { Uptime } from './parts.ts'
import type { WindowRow } from './store.ts'

export const minuteMs = 60_000
const dayMs = 86_400_000
/** How often a window repeats. */
export const periodMs: Readonly<Record<WindowRow['repeats'], number>> = {
  once: Infinity,
  daily: dayMs,
  weekly: 7 * dayMs,
}

/** True while a window lasts; one that repeats does so in UTC. */
export function isActive({ starts_at, minutes, repeats }: WindowRow, now: Date): boolean {
  const sinceMs = now.getTime() - Date.parse(starts_at)
  if (sinceMs < 0) return false
  return (repeats === 'once' ? sinceMs : sinceMs % periodMs[repeats]) < minutes * minuteMs
}

/** The monitors that are in maintenance: all of them, or those with these ids. */
export function inMaintenance(rows: readonly WindowRow[], now: Date): 'all' | ReadonlySet<number> {
  const ids = new Set<number>()
  for (const row of rows) {
    if (!isActive(row, now)) continue
    if (row.monitor_id === null) return 'all'
    ids.add(row.monitor_id)
  }
  return ids
}

/** True while a monitor is in maintenance. */
export async function isMaintained(
  { queries }: Pick<Uptime, 'queries'>,
  monitorId: number,
  now: Date,
): Promise<boolean> {
  const found = inMaintenance(await queries.windows(), now)
  return found === 'all' || found.has(monitorId)
}
