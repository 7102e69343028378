import type { BackupsArea } from '../backups/index.ts'
import type { Bucket } from './copies.ts'

/** How backups of websites are made, as the settings of the server say. */
export interface BackupPolicy {
  readonly encryptsLocal: boolean
  readonly encryptsRemote: boolean
}

/** Reads the settings of backups, and the key that encrypts them. */
export interface Policies {
  read(): Promise<BackupPolicy>
  /** Undefined if there is none. */
  passphrase(): Promise<string | undefined>
  /** The bucket that backups are copied to; undefined if they are not. */
  bucket(): Promise<Bucket | undefined>
}

/** Returns the settings of backups as those of websites need them. */
export const policiesOf = ({
  settings,
  key,
  openObjects,
}: Pick<BackupsArea, 'settings' | 'key' | 'openObjects'>): Policies => ({
  read: () => settings.read(),
  passphrase: () => key.passphrase(),
  bucket: async () => {
    const { s3, prefix, isRemote } = await settings.read()
    return isRemote && s3.endpoint !== '' && s3.bucket !== ''
      ? { objects: openObjects(s3), prefix }
      : undefined
  },
})
