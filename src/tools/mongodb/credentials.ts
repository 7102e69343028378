import type { Files } from '../../host/files.ts'
import type { Credentials } from './wire/scram.ts'

/** The account of the panel on the server, in the database admin. */
export const panelAccount = 'hostreeve'

/** Read by `mongodump --config` too, so that the password is never an argument. */
export const credentialsPath = '/root/.hostreeve-mongodb.yaml'

/** Reads the account of the panel; undefined if none was made. */
export async function readCredentials(files: Pick<Files, 'read'>): Promise<Credentials | undefined> {
  const text = await files.read(credentialsPath)
  const password = /^password:[ \t]*"?([^"\n]+?)"?[ \t]*$/m.exec(text ?? '')?.[1]
  return password === undefined ? undefined : { username: panelAccount, password }
}

/** Writes the password of the panel's account to a file that only root can read. */
export const writeCredentials = (files: Files, password: string): Promise<void> =>
  files.write(credentialsPath, `password: "${password}"\n`, { rights: { mode: 0o600 } })
