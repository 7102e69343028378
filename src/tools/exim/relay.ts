import type { Files } from '../../host/files.ts'
import { readAddress } from './addresses.ts'
import { type Credentials, hostOf, readCredentials } from './credentials.ts'
import { addressesPath, configPath, credentialsPath } from './layout.ts'
import { readSettings } from './settings.ts'

/** How the mail of the host leaves it. */
export interface Relay {
  /** As in the file: `internet`, `smarthost`, `satellite`, `local` or `none`; empty without the file. */
  readonly type: string
  /** `host::port`; empty without a relay. */
  readonly route: string
  readonly credentials: Credentials | undefined
  /** The address that mail of the account is sent from; empty for that of the account. */
  readonly address: string
}

/** Reads it from the files of Exim. */
export async function readRelay({ read }: Pick<Files, 'read'>, account: string): Promise<Relay> {
  const texts = await Promise.all([configPath, credentialsPath, addressesPath].map((path) => read(path)))
  const [config = '', passwords = '', senders = ''] = texts
  const { type, route } = readSettings(config)
  return {
    type,
    route,
    credentials: route === '' ? undefined : readCredentials(passwords, hostOf(route)),
    address: readAddress(senders, account) ?? '',
  }
}
