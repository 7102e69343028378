import Type, { type Static, type TSchema } from 'typebox'
import { Email, Masked, OneOf, Optional, Prose, Secret, Text, Time } from '../../core/schemas.ts'

export const storages = ['local', 's3'] as const
export const runStates = ['running', 'ok', 'failed', 'cancelled'] as const
export const mailboxStates = ['waiting', 'running', 'ok', 'failed', 'no_mailbox'] as const

const Storage = OneOf(storages, {
  description: 'Where attachments and the messages that have some are stored: local or s3',
})
const Cron = Text(100, {
  description: 'When mailboxes are backed up: a cron expression in UTC; empty if not on their own',
})
const Excluded = Type.Array(Email, {
  maxItems: 1500,
  description: 'Addresses of the mailboxes that are not backed up',
  expects: 'a list of at most 1500 e-mail addresses',
})
const tenantExpects =
  'the id or the domain of a directory: letters, digits, . and -, with a letter or a digit first'
const bucketExpects = 'the name of a bucket: letters, digits, ., _ and -, with a letter or a digit first'
const regionExpects = 'a region such as us-east-1: letters, digits, ., _ and -'
const tenantDescription = 'Directory (tenant) of the identity provider'
const fields = {
  idp_tenant_id: Text(255, { description: tenantDescription }),
  idp_client_id: Text(255, { description: 'Application (client) that reads the mailboxes' }),
  s3_endpoint: Text(2000, { description: 'Address of the S3 server; empty without one' }),
  s3_bucket: Text(255, { description: 'Bucket' }),
  s3_access_key: Text(255, { description: 'Access key' }),
  s3_region: Text(100, { description: 'Region' }),
  s3_encrypt: Type.Boolean({
    description: 'Whether what is stored on S3 is encrypted with the key of the backups',
  }),
  attachment_storage: Storage,
  backup_schedule: Cron,
  excluded_users: Excluded,
}
/** As they are given: an earlier release has taken others. */
const given = {
  idp_tenant_id: Type.String({
    maxLength: 255,
    pattern: '^(?:[A-Za-z0-9][A-Za-z0-9.-]*)?$',
    description: tenantDescription,
    expects: tenantExpects,
  }),
  s3_bucket: Type.String({
    maxLength: 255,
    pattern: '^(?:[A-Za-z0-9][A-Za-z0-9._-]*)?$',
    description: 'Bucket',
    expects: bucketExpects,
  }),
  s3_region: Type.String({
    maxLength: 100,
    pattern: '^[A-Za-z0-9._-]*$',
    description: 'Region',
    expects: regionExpects,
  }),
}
const clientSecret = { maxLength: 1000, description: 'Secret of the application' }
const secretKey = { maxLength: 255, description: 'Secret key of the access key' }
const line = (maxLength: number) => `text of at most ${maxLength} characters on one line`
/** A secret that is pasted with the end of its line would be refused by the server, without a reason to be seen. */
const secretOf = ({ maxLength, description }: typeof clientSecret) =>
  Secret({ maxLength, description, expects: line(maxLength), pattern: '^[^\\u0000-\\u001f\\u007f]*$' })
const withoutOne = { description: 'Null without one' }

export const MailboxSettings = Type.Object({
  ...fields,
  idp_client_secret: Type.Union([Masked(clientSecret), Type.Null()], withoutOne),
  s3_secret_key: Type.Union([Masked(secretKey), Type.Null()], withoutOne),
  retention_days: Type.Integer({ description: 'How long deleted messages are kept' }),
  data_dir: Text(4096, { description: 'Folder of the backups on this host' }),
})
export type MailboxSettings = Static<typeof MailboxSettings>

const DataDir = Type.String({
  maxLength: 1000,
  pattern: '^(?:/[^\\u0000-\\u001f\\u007f]*)?$',
})

/** A field that a change may leave out; null is an empty one. */
const orNull = <Schema extends TSchema>(schema: Schema, description: string, expects: string) =>
  Optional(Type.Union([schema, Type.Null()], { description: `${description}; null is empty`, expects }))

export const MailboxSettingsDraft = Type.Object({
  idp_tenant_id: orNull(given.idp_tenant_id, tenantDescription, tenantExpects),
  idp_client_id: orNull(fields.idp_client_id, 'Application (client) that reads the mailboxes', line(255)),
  idp_client_secret: orNull(secretOf(clientSecret), clientSecret.description, line(1000)),
  s3_endpoint: orNull(fields.s3_endpoint, 'Address of the S3 server', line(2000)),
  s3_bucket: orNull(given.s3_bucket, 'Bucket', bucketExpects),
  s3_access_key: orNull(fields.s3_access_key, 'Access key', line(255)),
  s3_secret_key: orNull(secretOf(secretKey), secretKey.description, line(255)),
  s3_region: orNull(given.s3_region, 'Region', regionExpects),
  s3_encrypt: Optional(fields.s3_encrypt),
  attachment_storage: Optional(fields.attachment_storage),
  backup_schedule: orNull(Cron, 'When mailboxes are backed up: a cron expression in UTC', line(100)),
  excluded_users: orNull(
    Excluded,
    'Addresses of the mailboxes that are not backed up',
    'a list of at most 1500 e-mail addresses',
  ),
  retention_days: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: 365,
    description: 'How long deleted messages are kept; 0 is 365',
    expects: 'a number of days from 0 to 36500',
  }),
  data_dir: orNull(
    DataDir,
    'Folder of the backups on this host, if it is not that of the panel',
    'an absolute path, or empty',
  ),
})
export type MailboxSettingsDraft = Static<typeof MailboxSettingsDraft>

export const Done = Type.Object({ status: Type.Literal('ok') })
export type Done = Static<typeof Done>

export const ExclusionDraft = Type.Object({ excluded_users: Optional(Excluded) })
export type ExclusionDraft = Static<typeof ExclusionDraft>
export const Exclusion = Type.Object({ status: Type.Literal('ok'), excluded_users: Type.Array(Text(254)) })
export type Exclusion = Static<typeof Exclusion>

export const ScheduleDraft = Type.Object({ backup_schedule: Cron })
export type ScheduleDraft = Static<typeof ScheduleDraft>
export const Schedule = Type.Object({ status: Type.Literal('ok'), backup_schedule: Text(100) })
export type Schedule = Static<typeof Schedule>

const stored = 'The stored one if it is left out or masked'
export const IdpTest = Type.Object({
  idp_tenant_id: Optional(given.idp_tenant_id),
  idp_client_id: Optional(fields.idp_client_id),
  idp_client_secret: Optional(secretOf({ ...clientSecret, description: stored })),
})
export type IdpTest = Static<typeof IdpTest>
export const S3Test = Type.Object({
  s3_endpoint: Optional(fields.s3_endpoint),
  s3_bucket: Optional(given.s3_bucket),
  s3_access_key: Optional(fields.s3_access_key),
  s3_secret_key: Optional(secretOf({ ...secretKey, description: stored })),
  s3_region: Optional(given.s3_region),
})
export type S3Test = Static<typeof S3Test>
export const Tested = Type.Object({
  success: Type.Literal(true),
  message: Prose(1000, { description: 'What was found' }),
})
export type Tested = Static<typeof Tested>

export const RunDraft = Type.Object({
  users: Optional(
    Type.Array(Email, {
      minItems: 1,
      maxItems: 1500,
      description: 'Addresses of the mailboxes; all that are not excluded if it is left out',
      expects: 'a list of 1 to 1500 e-mail addresses',
    }),
  ),
})
export type RunDraft = Static<typeof RunDraft>

const MaybeTime = (description: string) => Type.Union([Time, Type.Null()], { description })
const Count = (description: string) => Type.Integer({ minimum: 0, description })

const State = OneOf(mailboxStates, { description: 'How far its backup is, or how the last one ended' })
export const MailboxUser = Type.Object({
  email: Text(254),
  display_name: Text(300),
  excluded: Type.Boolean(),
  state: Type.Union([State, Type.Null()], { description: 'Null if it was never backed up' }),
  message: Prose(1000, {
    description: 'Why the last backup failed, or what it has left out; otherwise empty',
  }),
  messages: Count('Messages in the backup'),
  size_bytes: Count('Size of the backup, on this host and on S3'),
  last_run: MaybeTime('When its last backup ended'),
  last_success: MaybeTime('When its last backup that did not fail ended'),
  is_in_directory: Type.Boolean({ description: 'False for one that the directory no longer has' }),
})
export type MailboxUser = Static<typeof MailboxUser>
export const MailboxUsers = Type.Object({
  users: Type.Array(MailboxUser),
  error: Prose(1000, { description: 'Why the directory cannot be read; empty if it was' }),
})
export type MailboxUsers = Static<typeof MailboxUsers>

export const MailboxRun = Type.Object({
  id: Type.Integer(),
  job_id: Type.Integer(),
  state: OneOf(runStates),
  started_at: Time,
  finished_at: MaybeTime('When it ended'),
  mailboxes: Count('Mailboxes of the run'),
  failed: Count('Mailboxes that failed'),
  new_messages: Count('Messages that were new or had changed'),
  error: Prose(1000, { description: 'Why it failed as a whole' }),
})
export type MailboxRun = Static<typeof MailboxRun>
export const MailboxStatus = Type.Object({
  running: Type.Boolean(),
  job_id: Type.Union([Type.Integer(), Type.Null()], { description: 'The job that runs or waits' }),
  percent: Type.Union([Type.Integer(), Type.Null()]),
  message: Prose(1000, { description: 'What it is doing' }),
  next_run: MaybeTime('When the schedule begins the next run'),
  mailboxes: Type.Array(
    Type.Object({
      email: Text(254),
      state: State,
      message: Prose(1000),
      done_folders: Count('Folders that are done'),
      all_folders: Count('Folders of the mailbox'),
      new_messages: Count('Messages of this run'),
    }),
  ),
  runs: Type.Array(MailboxRun, { description: 'The last 20 runs, the newest first' }),
})
export type MailboxStatus = Static<typeof MailboxStatus>

export const MailboxLog = Type.Object({
  log_file: Text(4200),
  lines: Type.Array(Prose(4000), { description: 'The last 100 lines' }),
})
export type MailboxLog = Static<typeof MailboxLog>

const PathText = (maxLength: number, description: string) => Type.String({ maxLength, description })
export const OfMailbox = Type.Object({ email: PathText(254, 'Address of the mailbox') })
export const OfMessage = Type.Object({
  email: PathText(254, 'Address of the mailbox'),
  msgId: PathText(64, 'Id of the message'),
})
export const OfAttachment = Type.Object({
  email: PathText(254, 'Address of the mailbox'),
  attachId: PathText(64, 'Id of the attachment'),
})
export const MessagesQuery = Type.Object({
  folder: Optional(Type.String({ maxLength: 20_000, description: 'The exact name of a folder' })),
  search: Optional(Text(200, { description: 'Text in the subject or the sender' })),
  page: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 1,
    description: 'Page of 50 messages, from 1',
    expects: 'a page number from 1',
  }),
})
export type MessagesQuery = Static<typeof MessagesQuery>

export const MailMessage = Type.Object({
  id: Text(64),
  folder: Prose(20_000),
  subject: Prose(2000),
  from_email: Prose(500),
  from_name: Prose(500),
  to_emails: Prose(20_000, { description: 'Addresses, separated by commas' }),
  date: Prose(40),
  has_attachments: Type.Boolean(),
  importance: Prose(20),
  is_read: Type.Boolean(),
  status: OneOf(['present', 'deleted'], { description: 'deleted: no longer in the mailbox' }),
})
export type MailMessage = Static<typeof MailMessage>
export const MailMessages = Type.Object({
  email: Text(254),
  folders: Type.Array(Type.Object({ name: Prose(20_000), count: Count('Messages in it') })),
  messages: Type.Array(MailMessage, { description: 'The newest first' }),
  total: Count('Messages that meet the query'),
  page: Type.Integer({ minimum: 1 }),
  per_page: Type.Literal(50),
})
export type MailMessages = Static<typeof MailMessages>

export const MailAttachment = Type.Object({
  id: Text(64),
  filename: Prose(1000),
  size: Count('Size in bytes'),
  content_type: Text(200),
  s3_key: Text(1000, { description: 'Its object on S3; empty if it is stored on this host' }),
})
export type MailAttachment = Static<typeof MailAttachment>
export const MailAttachments = Type.Object({ attachments: Type.Array(MailAttachment) })
export type MailAttachments = Static<typeof MailAttachments>
