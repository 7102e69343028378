import { schedule, scheduleNamed } from '../../../jobs/schedules.ts'
import type { Store } from '../../../store/store.ts'
import type { BackupSettingsRow } from '../settings/store.ts'

/** The kind of the work that backs up the panel, and the name of its schedule. */
export const scheduleName = 'backups.panel'
const disabled = '30 2 * * *'

/** Returns the write that backs up the panel when the settings say so, in the name of a user. */
export async function scheduleRow(store: Store, settings: BackupSettingsRow, userId: number) {
  const draft = {
    kind: { kind: scheduleName },
    input: {},
    title: 'Back up the panel',
    cron: settings.schedule || disabled,
    zone: 'UTC',
    owner: userId,
    enabled: settings.schedule !== '',
  }
  return schedule(store, scheduleName, draft, await scheduleNamed(store, scheduleName))
}
