import type { Migration } from '../../../core/area.ts'

export const createBackupRetention: Migration = {
  name: '202611291720-backup-retention',
  statements: ['alter table backup_sets add column keep_days integer not null default 0'],
}
