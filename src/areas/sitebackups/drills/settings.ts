import { Cron } from 'croner'
import { type Change, change } from '../../../core/change.ts'
import { singleLock } from '../../../core/lock.ts'
import { schedule, scheduleNamed } from '../../../jobs/schedules.ts'
import type { Backups } from '../context.ts'
import { DrillSettingInvalid, DrillKeyMissing } from '../problems.ts'
import { drillAllKind } from './drilling.ts'
import type { DrillKey, DrillSettings } from './model.ts'
import { drillSettings } from './store.ts'

const standard: DrillSettings = { schedule: '', max_age_days: 30 }
const settingsLock = singleLock('drill settings')
const scheduleName = 'sitebackups.drills'
const disabled = '0 4 * * 0'

/** Returns when drills are made, and how old a proof may be. */
export async function readDrillSettings({ queries }: Pick<Backups, 'queries'>): Promise<DrillSettings> {
  const row = await queries.settings()
  if (row === undefined) return standard
  return { schedule: row.schedule, max_age_days: row.max_age_days }
}

/** Sets when drills are made, and how old a proof may be. */
export async function changeDrillSettings(on: Backups, draft: DrillSettings): Promise<Change<DrillSettings>> {
  if (draft.schedule !== '' && !isCron(draft.schedule))
    throw DrillSettingInvalid(
      'schedule: must be a cron expression of five fields such as 0 4 * * 0, or empty for none',
    )
  const row = await on.queries.settings()
  const timing = schedule(
    on.store,
    scheduleName,
    {
      kind: { kind: drillAllKind },
      input: {},
      title: 'Order drills of the backups of all websites',
      cron: draft.schedule || disabled,
      zone: await on.timeZone(),
      owner: null,
      enabled: draft.schedule !== '',
    },
    await scheduleNamed(on.store, scheduleName),
  )
  const write =
    row === undefined
      ? drillSettings.insert(drillSettings.row({ id: 1, ...draft }))
      : drillSettings.update(row, draft)
  return change({
    summary: 'Change when backups are proven',
    locks: [settingsLock],
    rows: [write, timing],
    reply: draft,
  })
}

/** Five fields: drills by the second would do nothing else. */
function isCron(text: string): boolean {
  if (text.trim().split(/\s+/).length !== 5) return false
  try {
    return new Cron(text, { paused: true }).nextRun() !== null
  } catch {
    return false
  }
}

/** Returns the key that reports are verified with. */
export async function readDrillKey({ queries }: Backups): Promise<DrillKey> {
  const row = await queries.key()
  if (row === undefined) throw DrillKeyMissing()
  return { algorithm: 'ed25519', public_key: row.public_key }
}
