import { Cron } from 'croner'
import type { Caller } from '../../../core/caller.ts'
import { type Change, change } from '../../../core/change.ts'
import { singleLock } from '../../../core/lock.ts'
import { isMasked } from '../../../core/secret.ts'
import { schedule, scheduleNamed } from '../../../jobs/schedules.ts'
import { urlOf } from '../../../tools/s3/index.ts'
import type { MailboxBackup } from '../parts.ts'
import type * as model from '../model.ts'
import { SettingInvalid } from '../problems.ts'
import { mailboxSettings, type SettingsRow } from '../store.ts'
import { folderOf } from './folder.ts'
import { excludedIn } from './stored.ts'

const settingsLock = singleLock('mailbox-settings')
/** The kind of the work that backs mailboxes up, and the name of its schedule. */
export const runKind = 'mailbox-backup.run'

/** Returns the settings as people see them. */
export async function readSettings(on: MailboxBackup): Promise<model.MailboxSettings> {
  const row = await on.settings.row()
  const { id: _id, revision: _revision, sealed_idp_client_secret, sealed_s3_secret_key, ...shown } = row
  const opened = (sealed: string) => (sealed === '' ? null : on.store.unseal(sealed))
  return {
    ...shown,
    idp_client_secret: opened(sealed_idp_client_secret),
    s3_secret_key: opened(sealed_s3_secret_key),
    s3_encrypt: row.s3_encrypt === 1,
    excluded_users: [...excludedIn(row)],
    data_dir: row.data_dir || on.defaultDataDir,
  }
}

/** Fields that null empties. */
const texts = [
  ...['idp_tenant_id', 'idp_client_id', 's3_endpoint', 's3_bucket', 's3_access_key', 's3_region'],
  ...['backup_schedule'],
] as const

/** Sets the fields that are given; the others stay as they are. */
export async function changeSettings(
  on: MailboxBackup,
  draft: model.MailboxSettingsDraft,
  caller: Caller,
): Promise<Change<model.Done>> {
  const row = await on.settings.row()
  const { s3_encrypt, attachment_storage, excluded_users, data_dir } = draft
  const wanted: SettingsRow = {
    ...row,
    ...Object.fromEntries(
      texts.flatMap((name): readonly (readonly [string, string])[] =>
        draft[name] === undefined ? [] : [[name, draft[name] ?? '']],
      ),
    ),
    ...(s3_encrypt !== undefined && { s3_encrypt: Number(s3_encrypt) }),
    ...(attachment_storage !== undefined && { attachment_storage }),
    ...(excluded_users !== undefined && { excluded_users: listed(excluded_users ?? []) }),
    ...(data_dir !== undefined && { data_dir: await folderOf(on, data_dir ?? '') }),
    retention_days: draft.retention_days || 365,
    sealed_idp_client_secret: sealed(on, draft.idp_client_secret, row.sealed_idp_client_secret),
    sealed_s3_secret_key: sealed(on, draft.s3_secret_key, row.sealed_s3_secret_key),
  }
  assertSecretsAgain(row, wanted)
  await assertComplete(on, wanted)
  return write(on, row, wanted, caller, 'Change the settings of the mailbox backup', { status: 'ok' })
}

/** Replaces the list of mailboxes that are not backed up. */
export async function excludeUsers(
  on: MailboxBackup,
  { excluded_users: users }: model.ExclusionDraft,
  caller: Caller,
): Promise<Change<model.Exclusion>> {
  const row = await on.settings.row()
  const wanted = { ...row, ...(users !== undefined && { excluded_users: listed(users) }) }
  return write(on, row, wanted, caller, 'Set which mailboxes are not backed up', {
    status: 'ok',
    excluded_users: [...excludedIn(wanted)],
  })
}

/** Sets when mailboxes are backed up. */
export async function setSchedule(
  on: MailboxBackup,
  { backup_schedule }: model.ScheduleDraft,
  caller: Caller,
): Promise<Change<model.Schedule>> {
  const row = await on.settings.row()
  const wanted = { ...row, backup_schedule }
  assertCron(backup_schedule)
  return write(on, row, wanted, caller, 'Set when mailboxes are backed up', { status: 'ok', backup_schedule })
}

async function write<Reply>(
  on: MailboxBackup,
  row: SettingsRow,
  wanted: SettingsRow,
  { user }: Caller,
  summary: string,
  reply: Reply,
): Promise<Change<Reply>> {
  const { id: _id, revision: _revision, ...columns } = wanted
  const values = { ...columns, s3_encrypt: columns.s3_encrypt === 1 }
  const planned = {
    kind: { kind: runKind },
    input: {},
    title: 'Back up the mailboxes',
    cron: wanted.backup_schedule || '0 2 * * *',
    zone: 'UTC',
    owner: user.id,
    enabled: wanted.backup_schedule !== '' && hasIdp(wanted),
  }
  return change({
    summary,
    locks: [settingsLock],
    rows: [
      row.revision === 0
        ? mailboxSettings.insert(mailboxSettings.row({ id: 1, ...values }))
        : mailboxSettings.update(row, values),
      schedule(on.store, runKind, planned, await scheduleNamed(on.store, runKind)),
    ],
    reply,
  })
}

const hasIdp = (row: SettingsRow): boolean =>
  row.idp_tenant_id !== '' && row.idp_client_id !== '' && row.sealed_idp_client_secret !== ''

const listed = (users: readonly string[]): string =>
  JSON.stringify([...new Set(users.map((user) => user.toLowerCase()))].toSorted())

function sealed({ store }: MailboxBackup, given: string | null | undefined, present: string): string {
  if (given === undefined || isMasked(given ?? '')) return present
  return given ? store.seal(given) : ''
}

/** A stored secret is not sent to another server, or for another application, than the one it was entered for. */
function assertSecretsAgain(row: SettingsRow, wanted: SettingsRow): void {
  const again = (name: string, isOther: boolean, sealedNames: readonly [string, string]) => {
    if (isOther && sealedNames[0] !== '' && sealedNames[0] === sealedNames[1])
      throw SettingInvalid(`${name}: enter it again for another server or application`)
  }
  again('s3_secret_key', row.s3_endpoint !== wanted.s3_endpoint && wanted.s3_endpoint !== '', [
    row.sealed_s3_secret_key,
    wanted.sealed_s3_secret_key,
  ])
  again('idp_client_secret', row.idp_tenant_id !== wanted.idp_tenant_id && wanted.idp_tenant_id !== '', [
    row.sealed_idp_client_secret,
    wanted.sealed_idp_client_secret,
  ])
}

async function assertComplete(on: MailboxBackup, wanted: SettingsRow): Promise<void> {
  if (wanted.s3_endpoint !== '' && urlOf(wanted.s3_endpoint) === undefined)
    throw SettingInvalid('s3_endpoint: must be the address of a server such as https://s3.example.com')
  const needed = ['s3_endpoint', 's3_bucket', 's3_access_key'] as const
  const missing =
    needed.find((name) => wanted[name] === '') ??
    (wanted.sealed_s3_secret_key === '' ? 's3_secret_key' : undefined)
  if (wanted.attachment_storage === 's3' && missing !== undefined)
    throw SettingInvalid(`${missing}: is required where attachment_storage is s3`)
  if (wanted.s3_encrypt === 1 && (await on.passphrase()) === undefined)
    throw SettingInvalid('s3_encrypt: generate the encryption key of the backups first')
  assertCron(wanted.backup_schedule)
}

function assertCron(text: string): void {
  if (text !== '' && !isCron(text))
    throw SettingInvalid(
      'backup_schedule: must be a cron expression of five fields such as 0 2 * * *, or empty',
    )
}

function isCron(text: string): boolean {
  if (text.trim().split(/\s+/).length !== 5) return false
  try {
    return new Cron(text, { paused: true }).nextRun() !== null
  } catch {
    return false
  }
}
