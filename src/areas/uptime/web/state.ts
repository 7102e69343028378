import type { Monitor } from '../model.ts'

/** The dialog of a monitor that is open. */
export interface Asking {
  readonly what: 'edit' | 'delete' | 'maintenance'
  readonly monitor: Monitor
}

/** The state of a monitor in one word. */
export function stateOf(monitor: Monitor): string {
  const { is_enabled, is_down, last_check, last_error } = monitor
  if (!is_enabled) return 'disabled'
  if (monitor.in_maintenance) return 'maintenance'
  if (monitor.is_unstable) return 'unstable'
  if (is_down) return 'down'
  if (last_check === null) return 'pending'
  return last_error === '' ? 'up' : 'warning'
}
