import { boolean, id, integer, oneOf, optional, revision, secret, text, time } from '../../store/columns.ts'
import { nextRun, scheduleNamed } from '../../jobs/schedules.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'
import { mailboxStates, runStates, storages } from './model.ts'
import { verificationStates } from './verify/model.ts'

/** One row: how mailboxes are reached, and where their backups are. */
export const mailboxSettings = table(
  'mailbox_settings',
  {
    id: id(),
    idp_tenant_id: text(255),
    idp_client_id: text(255),
    /** Empty without one. */
    sealed_idp_client_secret: secret(),
    s3_endpoint: text(2000),
    s3_bucket: text(255),
    s3_access_key: text(255),
    /** Empty without one. */
    sealed_s3_secret_key: secret(),
    s3_region: text(100),
    s3_encrypt: boolean(),
    attachment_storage: oneOf(storages),
    /** A cron expression in UTC; empty if mailboxes are not backed up on their own. */
    backup_schedule: text(100),
    /** JSON of a list of addresses in lower case. */
    excluded_users: text(400_000),
    retention_days: integer(),
    data_dir: text(4096),
    revision: revision(),
  },
  { noun: 'settings of the mailbox backup' },
)
export type SettingsRow = RowOf<typeof mailboxSettings>

const notUndone = { left: 'what a run has found is no change', unchecked: [] }

/** The runs. Written outside changes. */
export const runs = table(
  'mailbox_runs',
  {
    id: id(),
    job_id: integer(),
    state: oneOf(runStates),
    started_at: time(),
    finished_at: optional(time()),
    mailboxes: integer(),
    failed: integer(),
    new_messages: integer(),
    error: text(1000),
  },
  { notUndone },
)
export type RunRow = RowOf<typeof runs>

/** What the last run found in each mailbox. Written outside changes. */
export const mailboxes = table(
  'mailboxes',
  {
    email: text(254, { key: true }),
    display_name: text(300),
    state: oneOf(mailboxStates),
    message: text(1000),
    done_folders: integer(),
    all_folders: integer(),
    new_messages: integer(),
    messages: integer(),
    size_bytes: integer(),
    last_run: optional(time()),
    last_success: optional(time()),
  },
  { notUndone },
)
export type MailboxRow = RowOf<typeof mailboxes>

/** What the last verification found about each backup. Written outside changes. */
export const verifications = table(
  'mailbox_verifications',
  {
    email: text(254, { key: true }),
    job_id: integer(),
    state: oneOf(verificationStates),
    message: text(1000),
    verified_at: time(),
    messages: integer(),
    server_messages: optional(integer()),
    missing_messages: integer(),
    gone_messages: integer(),
    contents: integer(),
    missing_contents: integer(),
    damaged_contents: integer(),
    unused_objects: integer(),
    compared: integer(),
    differing: integer(),
  },
  { notUndone },
)
export type VerificationRow = RowOf<typeof verifications>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly mailbox_settings: SettingsRow
    readonly mailbox_runs: RunRow
    readonly mailboxes: MailboxRow
    readonly mailbox_verifications: VerificationRow
  }
}

const listedRuns = 20

/** Returns this area's queries. */
export const mailboxQueries = (store: Store) => ({
  settings: (): Promise<SettingsRow | undefined> => queriesOf(store, mailboxSettings).find({ id: 1 }),
  mailbox: (email: string): Promise<MailboxRow | undefined> => queriesOf(store, mailboxes).find({ email }),
  mailboxes: (): Promise<MailboxRow[]> =>
    store.db.selectFrom('mailboxes').selectAll().orderBy('email').execute(),
  verification: (email: string): Promise<VerificationRow | undefined> =>
    queriesOf(store, verifications).find({ email }),
  verifications: (): Promise<VerificationRow[]> =>
    store.db.selectFrom('mailbox_verifications').selectAll().orderBy('email').execute(),
  run: (jobId: number): Promise<RunRow | undefined> => queriesOf(store, runs).find({ job_id: jobId }),
  /** The last runs, the newest first. */
  runs: (): Promise<RunRow[]> =>
    store.db.selectFrom('mailbox_runs').selectAll().orderBy('id', 'desc').limit(listedRuns).execute(),
  /** The job of a kind that is queued or runs. */
  unfinishedJob: (kind: string) =>
    store.db
      .selectFrom('jobs')
      .select(['id', 'state', 'percent', 'message'])
      .where('kind', '=', kind)
      .where('state', 'in', ['queued', 'running'])
      .orderBy('id')
      .executeTakeFirst(),
  nextRun: async (name: string): Promise<string | null> => {
    const row = await scheduleNamed(store, name)
    if (row?.is_enabled !== 1) return null
    return row.next_run ?? nextRun(row, new Date())
  },
})
export type MailboxQueries = ReturnType<typeof mailboxQueries>
