import type { RowWrite } from '../../../core/change.ts'
import type { HostKeys, RemoteUrl, SignIn } from '../../../host/owner/git/index.ts'
import { deleteRow, insertRow } from '../../../store/rows.ts'
import type { Store } from '../../../store/store.ts'

interface CredentialsRow {
  readonly username: string
  /** Path of the repository's folder in the home. */
  readonly repository: string
  readonly remote: string
  /** The only address to which the credentials may be sent, even if the remote gets another one. */
  readonly address: string
  readonly login: string
  /** Encrypted JSON. */
  readonly secrets: string
  readonly updated_at: string
}

interface HostKeysRow {
  readonly username: string
  readonly host: string
  readonly port: number
  /** One key per line. */
  readonly public_keys: string
  readonly pinned_at: string
}

declare module '../../../store/tables.ts' {
  interface Tables {
    readonly vcs_credentials: CredentialsRow
    readonly vcs_host_keys: HostKeysRow
  }
}

/** One remote of one repository of one hosting user. */
export interface RemoteOf {
  readonly username: string
  readonly repository: string
  readonly remote: string
}

/** A server as known to one hosting user: accepting its key does not affect other users. */
export interface ServerOf {
  readonly username: string
  readonly host: string
  readonly port: number
}

/** Returns the queries on encrypted credentials and on host keys. */
// oxlint-disable-next-line max-lines-per-function -- a table of short queries
export function vcsQueries(store: Store) {
  const forgetCredentials = (of: RemoteOf): RowWrite => deleteRow('vcs_credentials', { ...of })
  const credentialRows = (
    of: RemoteOf,
    url: RemoteUrl,
    { login, ...secrets }: SignIn,
    now: Date,
  ): readonly RowWrite[] => {
    const sealed = store.seal(JSON.stringify(secrets))
    return [
      forgetCredentials(of),
      insertRow('vcs_credentials', {
        ...of,
        address: addressOf(url),
        login,
        secrets: sealed,
        updated_at: now.toISOString(),
      }),
    ]
  }
  return {
    credentialRows,
    forgetCredentials,
    /** Returns the credentials of a remote; undefined if its address has changed since they were stored. */
    credentialsOf: async (
      { username, repository, remote }: RemoteOf,
      url: RemoteUrl,
    ): Promise<SignIn | undefined> => {
      const rows = store.db
        .selectFrom('vcs_credentials')
        .select(['login', 'secrets'])
        .where('username', '=', username)
      const own = rows.where('repository', '=', repository).where('remote', '=', remote)
      const row = await own.where('address', '=', addressOf(url)).executeTakeFirst()
      if (row === undefined) return undefined
      const secrets: Omit<SignIn, 'login'> = JSON.parse(store.unseal(row.secrets))
      return { login: row.login, ...secrets }
    },
    hostKeysOf: async ({ username, host, port }: ServerOf): Promise<HostKeys | undefined> => {
      const rows = store.db.selectFrom('vcs_host_keys').select('public_keys').where('username', '=', username)
      return (
        await rows.where('host', '=', host).where('port', '=', port).executeTakeFirst()
      )?.public_keys.split('\n')
    },
    keepHostKeys: (of: ServerOf, keys: HostKeys, now: Date) =>
      store.transaction((tx) =>
        store.write(tx, [
          deleteRow('vcs_host_keys', { ...of }),
          insertRow('vcs_host_keys', { ...of, public_keys: keys.join('\n'), pinned_at: now.toISOString() }),
        ]),
      ),
    forgetHostKeys: (of: ServerOf): RowWrite => deleteRow('vcs_host_keys', { ...of }),
  }
}

/** The address that credentials belong to. */
export const addressOf = ({ scheme, host, port }: RemoteUrl): string =>
  `${scheme}://${host.toLowerCase()}:${port}`

export type VcsQueries = ReturnType<typeof vcsQueries>
