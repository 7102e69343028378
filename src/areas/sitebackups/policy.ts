/** How backups are made, as the settings of the server say. */
export interface BackupPolicy {
  readonly local_encrypt: boolean
  readonly remote_encrypt: boolean
  readonly remote_enabled: boolean
  /** How many points a set without a number of its own keeps. */
  readonly keep: number
}

/** Reads the settings of backups, and the key that encrypts them. */
export interface Policies {
  read(): Promise<BackupPolicy>
  /** Undefined if there is none. */
  passphrase(): Promise<string | undefined>
}

/** Without settings, backups are kept on this host alone, and are not encrypted. */
export const plainPolicies: Policies = {
  read: async () => ({ local_encrypt: false, remote_encrypt: false, remote_enabled: false, keep: 7 }),
  passphrase: async () => undefined,
}
