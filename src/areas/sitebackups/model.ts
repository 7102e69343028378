import Type, { type Static } from 'typebox'
import { Hostname, Id, OneOf, Optional, Prose, Secret, Text, Time } from '../../core/schemas.ts'

export const SetName = Type.String({
  minLength: 1,
  maxLength: 63,
  pattern: '^[a-z0-9][a-z0-9_-]*$',
  description: 'Name of a set',
  expects: '1 to 63 lower-case letters, digits, _ and -',
})

const BackupName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-z0-9][A-Za-z0-9_-]*$',
  description: 'Name of a backup',
  expects: 'the name of a backup',
})

const Source = OneOf(['local', 's3'], { description: 'Where the backup is' })

export const Backup = Type.Object({
  name: BackupName,
  set: SetName,
  time_mark: Time,
  size_bytes: Type.Integer({ minimum: 0, description: 'Of all its files' }),
  encrypted: Type.Boolean(),
  source: Source,
  is_copied: Type.Boolean({ description: 'True if S3 has it' }),
  complete: Type.Boolean({ description: 'False if files could not be read, or belong to another account' }),
  is_full: Type.Boolean({ description: 'False for what has changed since the backup before it' }),
  has_files: Type.Boolean(),
  databases: Type.Array(Text(64), { maxItems: 1000, description: 'Databases that it contains' }),
  file_count: Type.Integer({ minimum: 0, description: 'Files and folders of the website at that time' }),
  omitted: Type.Array(Text(4096), {
    maxItems: 1000,
    description: 'The first of what it does not contain as it is',
  }),
  omitted_count: Type.Integer({ minimum: 0 }),
})
export type Backup = Static<typeof Backup>

export const BackupDraft = Type.Object({
  set: Type.String({ ...SetName, default: 'default', description: 'The set that it belongs to' }),
})

const Schedule = Text(100, {
  description: 'A cron expression of five fields in the time zone of the host; empty for none',
})
const keep = {
  minimum: 1,
  maximum: 1000,
  description: 'Number of backups that are kept',
  expects: 'a number from 1 to 1000',
}

const keepDays = {
  minimum: 0,
  maximum: 3650,
  description: 'Days after which a backup is no longer kept, but for the newest of the set; 0 for any age',
  expects: 'a number from 0 to 3650',
}

export const BackupSet = Type.Object({
  name: SetName,
  files: Type.Boolean(),
  databases: Type.Boolean(),
  schedule: Schedule,
  keep: Type.Integer(keep),
  keep_days: Type.Integer(keepDays),
})
export type BackupSet = Static<typeof BackupSet>
export const BackupSets = Type.Object({ sets: Type.Array(BackupSet, { maxItems: 100 }) })

export const SetDraft = Type.Object({
  name: SetName,
  files: Type.Boolean({ default: true, description: 'Back up the files' }),
  databases: Type.Boolean({ default: true, description: 'Back up the databases' }),
  schedule: Text(100, { default: '', description: 'A cron expression of five fields; empty for none' }),
  keep: Type.Integer({ ...keep, default: 7 }),
  keep_days: Type.Integer({ ...keepDays, default: 0 }),
})
export type SetDraft = Static<typeof SetDraft>

export const BackupPath = Type.Object({ id: Id, name: BackupName })
export const SetPath = Type.Object({ id: Id, name: SetName })

const Passphrase = Optional(
  Secret({ maxLength: 1024, description: 'Needed for an encrypted backup, also while the server has a key' }),
)
const choice = {
  restore_files: Type.Boolean({ default: false, description: 'Restore the files' }),
  restore_database: Type.Boolean({
    default: false,
    description: 'Restore the databases; without both, files and databases are restored',
  }),
}

export const RestoreDraft = Type.Object({
  ...choice,
  for_inspection: Type.Boolean({
    default: false,
    description:
      'Restore into the new folder restores/DOMAIN-NAME of the home, databases as dumps; the website stays as it is',
  }),
  source: Optional(
    OneOf(['local', 's3'], {
      description: 'Where the backup is taken from; by default from this host, and from S3 what it lacks',
    }),
  ),
  passphrase: Passphrase,
})

export const WebappRestore = Type.Object({
  username: Type.String({
    minLength: 1,
    maxLength: 32,
    description: 'Owner of the website',
    expects: 'a user name',
  }),
  domain: Type.String({
    minLength: 1,
    maxLength: 253,
    description: 'Domain of the website',
    expects: 'a domain',
  }),
  set: Type.String({ ...SetName, default: 'default' }),
  time_mark: Text(35, { default: '', description: 'The time_mark of a backup; empty for the latest' }),
  source: OneOf(['local', 's3'], { default: 'local', description: 'Where the backup is' }),
  ...choice,
  passphrase: Passphrase,
})
export type WebappRestore = Static<typeof WebappRestore>

export const RestoreAll = Type.Object({
  source: OneOf(['local', 's3'], { default: 'local', description: 'Where the backups are' }),
  passphrase: Passphrase,
})

const state = OneOf(['queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted'])
export const BulkProgress = Type.Object({
  running: Type.Boolean(),
  total: Type.Integer({ minimum: 0 }),
  done: Type.Integer({ minimum: 0, description: 'Restores that have ended' }),
  failed: Type.Integer({ minimum: 0 }),
  started_at: Type.Union([Time, Type.Null()], { description: 'Null if no restore of all was ever started' }),
  items: Type.Array(Type.Object({ username: Text(32), domain: Text(253), state, message: Prose(4000) }), {
    maxItems: 100_000,
  }),
})

const ScannedSet = Type.Object({
  name: Text(63),
  latest_date: Text(35, { description: 'time_mark of the newest backup' }),
  size_mb: Text(20),
  chains: Type.Integer({ minimum: 0 }),
  source: Source,
  encrypted: Type.Boolean(),
})
export const Scan = Type.Object({
  backups: Type.Array(
    Type.Object({
      username: Text(32),
      domain: Text(253),
      sets: Type.Array(ScannedSet, { maxItems: 1000 }),
      exists_on_server: Type.Boolean(),
      source: OneOf(['local', 's3', 'both']),
    }),
    { maxItems: 100_000 },
  ),
})
export type Scan = Static<typeof Scan>

/** The protection of a website. */
export const Protection = Type.Object({
  website_id: Id,
  domain: Hostname,
  latest: Type.Union([Backup, Type.Null()], { description: 'The newest backup; null if there is none' }),
  backup_count: Type.Integer({ minimum: 0 }),
  size_bytes: Type.Integer({ minimum: 0, description: 'Of all backups' }),
  is_scheduled: Type.Boolean(),
  proven_at: Type.Union([Time, Type.Null()], {
    description: 'When a drill last proved that a backup restores; null if none did',
  }),
  drill_passed: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'The result of the last drill; null if there was none',
  }),
  is_overdue: Type.Boolean({ description: 'True if the last proof is older than the settings allow' }),
})
