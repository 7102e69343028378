import type { Migration } from '../../../core/area.ts'

export const createBackupSettings: Migration = {
  name: '202611280400-backup-settings',
  statements: [
    `create table backup_settings (
      id integer primary key, s3_endpoint text not null, s3_bucket text not null, s3_access_key text not null,
      sealed_s3_secret_key text not null, s3_region text not null, s3_prefix text not null, remote_enabled integer not null,
      local_encrypt integer not null, remote_encrypt integer not null, schedule text not null, keep integer not null,
      sealed_passphrase text not null, revision integer not null
    )`,
  ],
}
