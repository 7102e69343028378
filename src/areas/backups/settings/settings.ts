import { Cron } from 'croner'
import type { Caller } from '../../../core/caller.ts'
import { type Change, change } from '../../../core/change.ts'
import { singleLock } from '../../../core/lock.ts'
import { success } from '../../../core/reply.ts'
import { isMasked } from '../../../core/secret.ts'
import { isPlainKey, isPlainPart, urlOf } from '../../../tools/s3/index.ts'
import type { BackupsArea } from '../context.ts'
import { scheduleRow } from '../panel/scheduled.ts'
import type { BackupSettings, BackupSettingsDraft } from './model.ts'
import { SettingInvalid } from './problems.ts'
import { type BackupSettingsRow, backupSettings } from './store.ts'

export const settingsLock = singleLock('backup-settings')

/** Returns the settings as people see them. */
export async function readSettings(on: BackupsArea): Promise<BackupSettings> {
  const { id: _id, revision: _revision, sealed_s3_secret_key, sealed_passphrase, ...shown } = await on.row()
  return {
    ...shown,
    s3_secret_key: sealed_s3_secret_key === '' ? null : on.store.unseal(sealed_s3_secret_key),
    key_set: Number(sealed_passphrase !== ''),
  }
}

/** Sets the fields that are given; the others stay as they are. */
export async function changeSettings(
  on: BackupsArea,
  draft: BackupSettingsDraft,
  { user }: Caller,
): Promise<Change<{ success: true }>> {
  const row = await on.row()
  const { s3_secret_key: secretKey, ...given } = draft
  const wanted: BackupSettingsRow = {
    ...row,
    ...given,
    ...(secretKey !== undefined && !isMasked(secretKey) && sealedKey(on, secretKey)),
  }
  assertComplete(wanted)
  const isNewServer = row.s3_endpoint !== '' && wanted.s3_endpoint !== row.s3_endpoint
  if (isNewServer && wanted.s3_endpoint !== '' && wanted.sealed_s3_secret_key === row.sealed_s3_secret_key)
    throw SettingInvalid('s3_secret_key: enter it again for another server')
  return change({
    summary: 'Change the backup settings',
    locks: [settingsLock],
    rows: [settingsRow(row, wanted), await scheduleRow(on.store, wanted, user.id)],
    reply: success,
  })
}

const sealedKey = ({ store }: BackupsArea, secretKey: string) => ({
  sealed_s3_secret_key: secretKey === '' ? '' : store.seal(secretKey),
})

/** Returns the write that makes these the settings. */
export function settingsRow(row: BackupSettingsRow, wanted: BackupSettingsRow) {
  const { id: _id, revision: _revision, ...columns } = wanted
  const values = {
    ...columns,
    remote_enabled: columns.remote_enabled === 1,
    local_encrypt: columns.local_encrypt === 1,
    remote_encrypt: columns.remote_encrypt === 1,
  }
  return row.revision === 0
    ? backupSettings.insert(backupSettings.row({ id: 1, ...values }))
    : backupSettings.update(row, values)
}

function assertComplete(wanted: BackupSettingsRow): void {
  if (wanted.s3_endpoint !== '' && urlOf(wanted.s3_endpoint) === undefined)
    throw SettingInvalid('s3_endpoint: must be the address of a server such as https://s3.example.com')
  if (!isPlainPart(wanted.s3_bucket)) throw SettingInvalid(bucketInvalid)
  if (!isPlainKey(wanted.s3_prefix)) throw SettingInvalid('s3_prefix: must not have . or .. between slashes')
  if (wanted.max_bytes_per_second > 0 && wanted.max_bytes_per_second < slowest)
    throw SettingInvalid(`max_bytes_per_second: must be 0, for no limit, or at least ${slowest}`)
  const needed = ['s3_endpoint', 's3_bucket', 's3_access_key'] as const
  const missing =
    needed.find((name) => wanted[name] === '') ??
    (wanted.sealed_s3_secret_key === '' ? 's3_secret_key' : undefined)
  if (wanted.remote_enabled === 1 && missing !== undefined)
    throw SettingInvalid(`${missing}: is required where remote_enabled is 1`)
  const encrypting = (['local_encrypt', 'remote_encrypt'] as const).find((name) => wanted[name] === 1)
  if (encrypting !== undefined && wanted.sealed_passphrase === '')
    throw SettingInvalid(`${encrypting}: generate an encryption key first`)
  if (wanted.schedule !== '' && !isCron(wanted.schedule))
    throw SettingInvalid('schedule: must be a cron expression of five fields such as 30 2 * * *, or empty')
}

/** A slower backup would not end within its limit of time. */
const slowest = 65_536

export const bucketInvalid = 's3_bucket: must be the name of a bucket such as backups; . and .. are none'

/** True for a cron expression of five fields. */
export function isCron(text: string): boolean {
  if (text.trim().split(/\s+/).length !== 5) return false
  try {
    return new Cron(text, { paused: true }).nextRun() !== null
  } catch {
    return false
  }
}
