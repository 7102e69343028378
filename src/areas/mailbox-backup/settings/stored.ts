import type { Store } from '../../../store/store.ts'
import type { GraphSettings } from '../../../tools/graph/index.ts'
import type { ObjectStoreSettings } from '../../../tools/s3/index.ts'
import type { MailboxQueries, SettingsRow } from '../store.ts'

/** The settings with their secrets. */
export interface StoredSettings {
  readonly idp: GraphSettings
  readonly s3: ObjectStoreSettings
  readonly encryptsRemote: boolean
  readonly storage: SettingsRow['attachment_storage']
  readonly excluded: ReadonlySet<string>
  readonly retentionDays: number
  readonly dataDir: string
}

const withoutSettings: SettingsRow = {
  id: 1,
  idp_tenant_id: '',
  idp_client_id: '',
  sealed_idp_client_secret: '',
  s3_endpoint: '',
  s3_bucket: '',
  s3_access_key: '',
  sealed_s3_secret_key: '',
  s3_region: 'us-east-1',
  s3_encrypt: 0,
  attachment_storage: 'local',
  backup_schedule: '0 2 * * *',
  excluded_users: '[]',
  retention_days: 365,
  data_dir: '',
  revision: 0,
}

/** Opens the stored settings; `defaultDataDir` is the folder of the backups where none is set. */
export function openSettings(
  store: Pick<Store, 'unseal'>,
  { settings }: Pick<MailboxQueries, 'settings'>,
  defaultDataDir: string,
) {
  const row = async () => (await settings()) ?? withoutSettings
  const opened = (sealed: string) => (sealed === '' ? '' : store.unseal(sealed))
  return {
    row,
    read: async (): Promise<StoredSettings> => {
      const found = await row()
      return {
        idp: {
          tenantId: found.idp_tenant_id,
          clientId: found.idp_client_id,
          clientSecret: opened(found.sealed_idp_client_secret),
        },
        s3: {
          endpoint: found.s3_endpoint,
          bucket: found.s3_bucket,
          accessKey: found.s3_access_key,
          secretKey: opened(found.sealed_s3_secret_key),
          region: found.s3_region || 'us-east-1',
        },
        encryptsRemote: found.s3_encrypt === 1,
        storage: found.attachment_storage,
        excluded: new Set(excludedIn(found)),
        retentionDays: found.retention_days,
        dataDir: found.data_dir || defaultDataDir,
      }
    },
  }
}

/** Returns the addresses that are not backed up. */
export function excludedIn({ excluded_users: text }: Pick<SettingsRow, 'excluded_users'>): readonly string[] {
  const list: readonly string[] = JSON.parse(text)
  return list
}
