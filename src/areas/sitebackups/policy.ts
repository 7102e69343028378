import { objectUrl } from '../../tools/s3/index.ts'
import type { BackupsArea } from '../backups/index.ts'
import type { Bucket } from './copies.ts'
import { KeyMissing } from './problems.ts'

/** How backups of websites are made, as the settings of the server say. */
export interface BackupPolicy {
  readonly encryptsLocal: boolean
  readonly encryptsRemote: boolean
  /** 0 for no limit. */
  readonly maxBytesPerSecond: number
}

/** The S3 server of the settings, whether or not backups are copied to it. */
export interface Storage extends Bucket {
  /** True if what is stored is encrypted. */
  readonly encrypts: boolean
  /** Null where it is not encrypted; fails without a key. */
  passphrase(): Promise<string | null>
  urlOf(key: string): string
}

/** Reads the settings of backups, and the key that encrypts them. */
export interface Policies {
  read(): Promise<BackupPolicy>
  /** Undefined if there is none. */
  passphrase(): Promise<string | undefined>
  /** The bucket that backups are copied to; undefined if they are not. */
  bucket(): Promise<Bucket | undefined>
  /** Undefined while there is no S3 server. */
  storage(): Promise<Storage | undefined>
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
  storage: async () => {
    const { s3, prefix, encryptsRemote: encrypts } = await settings.read()
    if (s3.endpoint === '' || s3.bucket === '') return undefined
    return {
      objects: openObjects(s3),
      prefix,
      encrypts,
      passphrase: async () => {
        const passphrase = encrypts ? await key.passphrase() : null
        if (passphrase === undefined) throw KeyMissing('Generate a key in the settings of backups')
        return passphrase
      },
      urlOf: (objectKey) => objectUrl(s3, objectKey),
    }
  },
})
