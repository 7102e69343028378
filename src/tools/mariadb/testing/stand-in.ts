import type { SqlConnection, SqlStatement } from '../../../host/apply/steps.ts'
import { authenticationOf } from '../authentication.ts'

/** A stand-in for the server: the account root, of which statements read and set the ways to sign in. */
export interface StandInServer {
  /** The column `Priv` of the account. */
  priv: string
  readonly connection: SqlConnection
}

/** Root as Debian's package creates it. */
export const asInstalled = JSON.stringify({
  plugin: 'mysql_native_password',
  authentication_string: 'invalid',
  auth_or: [{}, { plugin: 'unix_socket' }],
})

/** Opens a server with an account root. */
export function standInServer(priv = asInstalled): StandInServer {
  const server: StandInServer = {
    priv,
    connection: {
      run: async ({ parts, values }) => {
        if (parts[0]?.startsWith('select Priv')) return [{ priv: server.priv }]
        if (!parts[0]?.startsWith("alter user 'root'@'localhost'"))
          throw new Error(`not scripted: ${parts.join('?')}`)
        server.priv = privOf(values)
        return []
      },
    },
  }
  return server
}

/** The methods that a server shows of its account. */
export const methodsOf = ({ priv }: Pick<StandInServer, 'priv'>): readonly string[] =>
  authenticationOf(priv).map(({ plugin, secret }) => `${plugin} ${secret}`.trim())

function privOf(values: SqlStatement['values']): string {
  const methods = values.flatMap((value, index) =>
    typeof value === 'object' && value !== null
      ? [{ plugin: value.identifier, authentication_string: values[index + 1] }]
      : [],
  )
  return JSON.stringify({ auth_or: methods })
}
