import type { HistoryRow } from '../model.ts'

/** A time in which a monitor was down. */
export interface Incident {
  readonly id: number
  readonly began: string
  /** Undefined while it lasts. */
  readonly ended: string | undefined
  readonly reason: string
}

type Change = Pick<HistoryRow, 'id' | 'event_type' | 'error' | 'created_at'>

/** Reads the incidents from the history, whose newest row is the first; the newest incident is the first too. */
export function incidentsOf(history: readonly Change[]): readonly Incident[] {
  const found: Incident[] = []
  for (const { id, event_type: event, error, created_at: at } of history.toReversed()) {
    const last = found.at(-1)
    const isDown = last !== undefined && last.ended === undefined
    if (event === 'down' && !isDown) found.push({ id, began: at, ended: undefined, reason: error })
    // while it is down, a warning is a success about which something is wrong
    if (isDown && ['up', 'warning'].includes(event)) found[found.length - 1] = { ...last, ended: at }
  }
  return found.toReversed()
}

const units = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1000 },
]

/** How long an incident lasted, in its two largest units. */
export function lengthOf({ began, ended }: Incident, now: number): string {
  let left = Math.max(0, (ended === undefined ? now : Date.parse(ended)) - Date.parse(began))
  const parts: string[] = []
  for (const { name, ms } of units) {
    const count = Math.floor(left / ms)
    left -= count * ms
    if (count > 0 || parts.length > 0) parts.push(`${count} ${name}`)
    if (parts.length === 2) break
  }
  return parts.join(' ') || 'under 1 s'
}
