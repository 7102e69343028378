import type { Migration } from '../../../core/area.ts'

export const createMailboxBackup: Migration = {
  name: '202611281700-mailbox-backup',
  statements: [
    `create table mailbox_settings (
      id integer primary key, idp_tenant_id text not null, idp_client_id text not null,
      sealed_idp_client_secret text not null, s3_endpoint text not null, s3_bucket text not null,
      s3_access_key text not null, sealed_s3_secret_key text not null, s3_region text not null,
      s3_encrypt integer not null, attachment_storage text not null, backup_schedule text not null,
      excluded_users text not null, retention_days integer not null, data_dir text not null, revision integer not null
    )`,
    `create table mailbox_runs (
      id integer primary key, job_id integer not null, state text not null, started_at text not null,
      finished_at text, mailboxes integer not null, failed integer not null, new_messages integer not null,
      error text not null
    )`,
    'create index mailbox_runs_by_job on mailbox_runs (job_id)',
    `create table mailboxes (
      email text primary key, display_name text not null, state text not null, message text not null,
      done_folders integer not null, all_folders integer not null, new_messages integer not null,
      messages integer not null, size_bytes integer not null, last_run text, last_success text
    )`,
  ],
}
