import { schedule, scheduleNamed } from '../../../jobs/schedules.ts'
import type { Store } from '../../../store/store.ts'
import type { BackupSettingsRow } from '../settings/store.ts'

const name = 'backups.panel'

/** Returns the write that backs up the panel when the settings say so, in the name of a user. */
export async function scheduleRow(store: Store, settings: BackupSettingsRow, userId: number) {
  const draft = {
    kind: { kind: name },
    input: {},
    title: 'Back up the panel',
    cron: settings.schedule || '30 2 * * *',
    zone: 'UTC',
    owner: userId,
    enabled: settings.schedule !== '',
  }
  return schedule(store, name, draft, await scheduleNamed(store, name))
}
