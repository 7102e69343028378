import { boolean, id, integer, oneOf, ref, revision, secret, text, time } from '../../../store/columns.ts'
import type { Tx } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import { queriesOf } from '../../../store/table-queries.ts'
import { type RowOf, table } from '../../../store/table.ts'

/** The drills of websites: what was restored, and whether it was what had been backed up. */
export const backupDrills = table(
  'backup_drills',
  {
    id: id(),
    website_id: ref('websites'),
    job_id: integer(),
    backup: text(255),
    source: oneOf(['local', 's3']),
    started_at: time(),
    ended_at: time(),
    passed: boolean(),
    /** The first finding; empty for one that passed. */
    message: text(4000),
    /** The text that was signed. */
    report: text(1_000_000),
    signature: text(200),
  },
  { notUndone: { left: 'what a drill has found is no change' } },
)
export type DrillRow = RowOf<typeof backupDrills>

/** One row, once they were changed. */
export const drillSettings = table(
  'drill_settings',
  {
    id: id(),
    /** A cron expression in the time zone of the host; empty for none. */
    schedule: text(100),
    /** Beyond this age of the last proven restore, the owner is notified; 0 for never. */
    max_age_days: integer(),
    revision: revision(),
  },
  { noun: 'drill settings' },
)
export type DrillSettingsRow = RowOf<typeof drillSettings>

/** One row, from the first drill on: the key that reports are signed with. */
export const drillKeys = table('drill_keys', {
  id: id(),
  public_key: text(1000),
  sealed_private_key: secret(),
  created_at: time(),
})
export type DrillKeyRow = RowOf<typeof drillKeys>

declare module '../../../store/tables.ts' {
  interface Tables {
    readonly backup_drills: DrillRow
    readonly drill_settings: DrillSettingsRow
    readonly drill_keys: DrillKeyRow
  }
}

/** A drill without its report. */
export type ListedDrill = Omit<DrillRow, 'report' | 'signature'>

const listed = [
  ...(['id', 'website_id', 'job_id', 'backup', 'source', 'started_at', 'ended_at'] as const),
  ...(['passed', 'message'] as const),
] as const

const keptPerWebsite = 30

/** Returns the queries of drills. */
export function drillQueries(store: Store) {
  const { db } = store
  return {
    settings: () => queriesOf(store, drillSettings).find({ id: 1 }),
    key: () => queriesOf(store, drillKeys).find({ id: 1 }),
    /** Returns the drills of websites, the oldest first. */
    drillsOf: (websiteIds: readonly number[]): Promise<readonly ListedDrill[]> =>
      db
        .selectFrom('backup_drills')
        .select(listed)
        .where('website_id', 'in', [...websiteIds])
        .orderBy('id')
        .execute(),
    allDrills: (): Promise<readonly ListedDrill[]> =>
      db.selectFrom('backup_drills').select(listed).orderBy('id').execute(),
    drill: (websiteId: number, drillId: number) =>
      queriesOf(store, backupDrills).find({ id: drillId, website_id: websiteId }),
    drillOfJob: (jobId: number, websiteId: number) =>
      queriesOf(store, backupDrills).find({ job_id: jobId, website_id: websiteId }),
  }
}

/** Returns the queries of a transaction that records a drill. */
export const recordingQueries = (tx: Tx) => ({
  key: (): Promise<DrillKeyRow | undefined> =>
    tx.selectFrom('drill_keys').selectAll().where('id', '=', 1).executeTakeFirst(),
  /** Returns the ids of the drills of a website that are not kept: the newest, and the last one that passed. */
  surplus: async (websiteId: number): Promise<readonly number[]> => {
    const rows = await tx
      .selectFrom('backup_drills')
      .select(['id', 'passed'])
      .where('website_id', '=', websiteId)
      .orderBy('id')
      .execute()
    const proven = rows.findLast(({ passed }) => passed === 1)
    return rows.slice(0, -keptPerWebsite).flatMap((row) => (row.id === proven?.id ? [] : [row.id]))
  },
})
