import type { BackupsArea } from '../backups/index.ts'

/** How backups of websites are made, as the settings of the server say. */
export interface BackupPolicy {
  readonly encryptsLocal: boolean
}

/** Reads the settings of backups, and the key that encrypts them. */
export interface Policies {
  read(): Promise<BackupPolicy>
  /** Undefined if there is none. */
  passphrase(): Promise<string | undefined>
}

/** Returns the settings of backups as those of websites need them. */
export const policiesOf = ({ settings, key }: Pick<BackupsArea, 'settings' | 'key'>): Policies => ({
  read: () => settings.read(),
  passphrase: () => key.passphrase(),
})
