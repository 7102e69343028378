import type { Store } from '../../../store/store.ts'
import { type BackupSettingsRow, settingsQueries } from './store.ts'

/** Where backups go and how they are protected. */
export interface StoredSettings {
  readonly s3: {
    readonly endpoint: string
    readonly bucket: string
    readonly accessKey: string
    readonly secretKey: string
    readonly region: string
  }
  readonly prefix: string
  readonly isRemote: boolean
  readonly encryptsLocal: boolean
  readonly encryptsRemote: boolean
  readonly schedule: string
  readonly keep: number
  /** 0 for no limit. */
  readonly maxBytesPerSecond: number
}

const withoutSettings: BackupSettingsRow = {
  id: 1,
  s3_endpoint: '',
  s3_bucket: '',
  s3_access_key: '',
  sealed_s3_secret_key: '',
  s3_region: 'us-east-1',
  s3_prefix: '',
  remote_enabled: 0,
  local_encrypt: 0,
  remote_encrypt: 0,
  schedule: '',
  keep: 14,
  max_bytes_per_second: 0,
  sealed_passphrase: '',
  revision: 0,
}

/** Opens the stored settings and the key, for every kind of backup. */
export function openBackupSettings(store: Store) {
  const { row } = settingsQueries(store)
  const present = async () => (await row()) ?? withoutSettings
  const opened = (sealed: string) => (sealed === '' ? '' : store.unseal(sealed))
  return {
    row: present,
    settings: {
      /** Returns the settings with their secrets. */
      read: async (): Promise<StoredSettings> => {
        const found = await present()
        return {
          s3: {
            endpoint: found.s3_endpoint,
            bucket: found.s3_bucket,
            accessKey: found.s3_access_key,
            secretKey: opened(found.sealed_s3_secret_key),
            region: found.s3_region,
          },
          prefix: found.s3_prefix,
          isRemote: found.remote_enabled === 1,
          encryptsLocal: found.local_encrypt === 1,
          encryptsRemote: found.remote_encrypt === 1,
          schedule: found.schedule,
          keep: found.keep,
          maxBytesPerSecond: found.max_bytes_per_second,
        }
      },
    },
    key: {
      /** Returns the stored passphrase; undefined without one. */
      passphrase: async (): Promise<string | undefined> =>
        opened((await present()).sealed_passphrase) || undefined,
    },
  }
}
