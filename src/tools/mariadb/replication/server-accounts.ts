import { sql, type SqlConnection, type SqlStatement } from '../../../host/apply/steps.ts'
import type { SqlSession } from '../../../host/connect/index.ts'
import { readAccount } from '../accounts.ts'
import { type Account, accountIdentifiedBy, type SignInMethod } from '../authentication.ts'

/** An account with its hashes, as one server gives it to another. */
export interface CopiedAccount extends Account {
  readonly authentication: readonly SignInMethod[]
  /** As the server states them, without the way to sign in. */
  readonly grants: readonly string[]
}

/** Accounts of the server itself and of its replicas, which each server has for itself. */
const ownNames = new Set(['root', 'mysql', 'mariadb.sys', 'debian-sys-maint', 'PUBLIC'])
export const replicaPrefix = 'hostreeve_replica_'

/** Lists the accounts of a server with their hashes and rights, without those of the server itself. Roles are left out. */
export async function listAccounts(connection: SqlConnection): Promise<readonly CopiedAccount[]> {
  const rows = await connection.run(
    sql`select User username, Host host from mysql.user where is_role = 'N' order by User, Host`,
  )
  const accounts = rows
    .map((row) => ({ username: String(row['username']), host: String(row['host']) }))
    .filter(({ username }) => isCopied(username))
  const found: CopiedAccount[] = []
  for (const account of accounts) {
    const state = await readAccount(connection, account)
    if (state !== undefined) found.push({ ...account, ...state })
  }
  return found
}

const isCopied = (username: string): boolean =>
  username !== '' && !ownNames.has(username) && !username.startsWith(replicaPrefix)

/** Gives a server the accounts of another; its own further ones stay. Nothing of it is in the binary log. */
export async function copyAccounts(
  session: SqlSession,
  accounts: readonly CopiedAccount[],
): Promise<{ readonly accounts: number }> {
  const copied = accounts.filter(({ username }) => isCopied(username))
  for (const { username, host, authentication, grants } of copied) {
    const account = { username, host }
    await session('utf8mb4', [
      sql`set session sql_log_bin = 0`,
      replacing(accountIdentifiedBy('create', account, authentication)),
      ...grants.filter((grant) => /^GRANT /i.test(grant)).map((grant) => ({ parts: [grant], values: [] })),
    ])
  }
  return { accounts: copied.length }
}

const replacing = ({ parts, values }: SqlStatement): SqlStatement => ({
  parts: parts.map((part, at) =>
    at === 0 ? part.replace(/^create user /, 'create or replace user ') : part,
  ),
  values,
})
