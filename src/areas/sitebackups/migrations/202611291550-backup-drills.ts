import type { Migration } from '../../../core/area.ts'

export const createBackupDrills: Migration = {
  name: '202611291550-backup-drills',
  statements: [
    `create table backup_drills (
      id integer primary key, website_id integer not null references websites (id), job_id integer not null,
      backup text not null, source text not null, started_at text not null, ended_at text not null,
      passed integer not null, message text not null, report text not null, signature text not null
    )`,
    'create index backup_drills_by_website on backup_drills (website_id, id)',
    `create table drill_settings (
      id integer primary key, schedule text not null, max_age_days integer not null, revision integer not null
    )`,
    `create table drill_keys (
      id integer primary key, public_key text not null, sealed_private_key text not null, created_at text not null
    )`,
  ],
}
