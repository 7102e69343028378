import { boolean, id, integer, revision, secret, text } from '../../../store/columns.ts'
import type { Store } from '../../../store/store.ts'
import { queriesOf } from '../../../store/table-queries.ts'
import { type RowOf, table } from '../../../store/table.ts'

/** One row: where backups go, and the key that they are encrypted with. */
export const backupSettings = table(
  'backup_settings',
  {
    id: id(),
    s3_endpoint: text(2000),
    s3_bucket: text(255),
    s3_access_key: text(255),
    /** Empty without one. */
    sealed_s3_secret_key: secret(),
    s3_region: text(100),
    s3_prefix: text(500),
    remote_enabled: boolean(),
    local_encrypt: boolean(),
    remote_encrypt: boolean(),
    /** A cron expression in UTC; empty if no backup is made on its own. */
    schedule: text(100),
    keep: integer(),
    /** 0 for no limit. */
    max_bytes_per_second: integer(),
    /** Empty without a key. */
    sealed_passphrase: secret(),
    revision: revision(),
  },
  { noun: 'backup settings' },
)
export type BackupSettingsRow = RowOf<typeof backupSettings>

declare module '../../../store/tables.ts' {
  interface Tables {
    readonly backup_settings: BackupSettingsRow
  }
}

/** Returns the queries of the settings. */
export const settingsQueries = (store: Store) => ({
  row: (): Promise<BackupSettingsRow | undefined> => queriesOf(store, backupSettings).find({ id: 1 }),
})
