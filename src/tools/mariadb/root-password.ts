import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { sql, type SqlConnection } from '../../host/apply/steps.ts'
import type { Files } from '../../host/files.ts'
import { type Authentication, authenticationOf, hasPassword, identifiedBy } from './authentication.ts'
import { byHash, hashOf } from './password-hash.ts'

interface RootPasswordArgs {
  readonly password: string
}

interface RootState {
  /** The content of the credentials file; absent if there is none. */
  readonly credentials?: string
  readonly authentication: Authentication
}

/** An option file, which the clients of MariaDB read with `--defaults-extra-file`. */
export const credentialsPath = '/root/.hostreeve-mariadb.cnf'

/** Reads the password of root from the file that its installation wrote; undefined if there is none. */
export const readRootPassword = async (files: Pick<Files, 'read'>): Promise<string | undefined> =>
  /^password=(.*)$/m.exec((await files.read(credentialsPath)) ?? '')?.[1]

/**
 * The step that lets root sign in with a password, besides the socket, and writes the password to a file that
 * only root can read. A password that root has already is kept, as it belongs to data that existed before.
 */
export function setRootPassword(
  connection: SqlConnection,
  files: Files,
): StepKind<RootPasswordArgs, Was<RootState>, null> {
  const write = async ({ credentials, authentication }: RootState) => {
    if (credentials === undefined) await files.remove(credentialsPath)
    else await files.write(credentialsPath, credentials, { rights: { mode: 0o600 } })
    await connection.run(identifiedBy(authentication))
  }
  return stateStep<RootPasswordArgs, RootState>({
    name: 'mariadb.set-root-password',
    plan: () => ({
      title: 'Set a random password for the root account of MariaDB',
      details: [`The password is written to ${credentialsPath}, which only root can read`],
    }),
    read: async () => {
      const [row] = await connection.run(
        sql`select Priv as priv from mysql.global_priv where User = 'root' and Host = 'localhost'`,
      )
      if (row === undefined) return undefined
      const credentials = await files.read(credentialsPath)
      return {
        ...(credentials !== undefined && { credentials }),
        authentication: authenticationOf(String(row['priv'])),
      }
    },
    wanted: ({ password }, was) =>
      was === undefined || hasPassword(was.authentication)
        ? was
        : {
            credentials: `[client]\nuser=root\npassword=${password}\n`,
            authentication: [{ plugin: 'unix_socket', secret: '' }, byHash(hashOf(password))],
          },
    write: async (_args, state) => (state === undefined ? undefined : write(state)),
  })
}
