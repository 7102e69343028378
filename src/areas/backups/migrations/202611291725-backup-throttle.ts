import type { Migration } from '../../../core/area.ts'

export const createBackupThrottle: Migration = {
  name: '202611291725-backup-throttle',
  statements: ['alter table backup_settings add column max_bytes_per_second integer not null default 0'],
}
