import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { sql, type SqlConnection, type SqlStatement } from '../../host/apply/steps.ts'
import { type Account, accountIdentifiedBy, type Authentication, authenticationOf } from './authentication.ts'
import { isWithoutGlobalPriv } from './dialect.ts'
import { isMysqlHash } from './mysql-password-hash.ts'
import { byHash } from './password-hash.ts'

interface AccountArgs extends Account {
  /** The one database that a new account has rights on; null for none. */
  readonly database: string | null
  /** Of its password; null removes the account. */
  readonly hash: string | null
}

interface AccountState {
  readonly authentication: Authentication
  /** As the server states them, without the way to sign in. */
  readonly grants: readonly string[]
}

/** The step that creates an account with all rights on one database, sets its password, or removes it. */
export function setAccount(connection: SqlConnection): StepKind<AccountArgs, Was<AccountState>, null> {
  return stateStep<AccountArgs, AccountState>({
    name: 'mariadb.set-account',
    plan: ({ username, host, hash, database }) =>
      hash === null
        ? { title: `Remove the account ${username} at ${host} from MariaDB` }
        : {
            title: `Set the password of the account ${username} at ${host} in MariaDB`,
            details: [
              database === null
                ? 'A new account has no rights'
                : `The account has all rights on the database ${database}, and on no other`,
            ],
          },
    read: (account) => readAccount(connection, account),
    wanted: ({ hash, ...args }, was) =>
      hash === null
        ? undefined
        : { authentication: [byHash(hash)], grants: was?.grants ?? grantsOn(args.database, args) },
    write: async (account, state, { now }) => {
      for (const statement of statementsOf(account, state, now)) await connection.run(statement)
    },
  })
}

/** Reads how an account signs in and what it may do; undefined if there is none. */
export async function readAccount(
  connection: SqlConnection,
  { username, host }: Account,
): Promise<AccountState | undefined> {
  const authentication = await readAuthentication(connection, { username, host })
  if (authentication === undefined) return undefined
  const grants = await connection.run(sql`show grants for ${username}@${host}`)
  return {
    authentication,
    grants: grants.map((grant) => withoutSignIn(String(Object.values(grant)[0]))),
  }
}

async function readAuthentication(
  connection: SqlConnection,
  { username, host }: Account,
): Promise<Authentication | undefined> {
  try {
    const [row] = await connection.run(
      sql`select Priv priv from mysql.global_priv where User = ${username} and Host = ${host}`,
    )
    return row && authenticationOf(String(row['priv']))
  } catch (error) {
    if (!isWithoutGlobalPriv(error)) throw error
    const [row] = await connection.run(
      sql`select plugin, authentication_string secret from mysql.user where User = ${username} and Host = ${host}`,
    )
    return row && [{ plugin: String(row['plugin']), secret: String(row['secret'] ?? '') }]
  }
}

const method = "\\S+(?: USING '[^']*')?"
const signIn = new RegExp(` IDENTIFIED (?:BY PASSWORD '[^']*'|VIA ${method}(?: OR ${method})*)`)

const withoutSignIn = (grant: string): string => grant.replace(signIn, '')

/** In a grant `_` and `%` are wildcards: unescaped, `ann_shop` would also be `annexshop` of another owner. */
function grantsOn(database: string | null, { username, host }: Account): readonly string[] {
  const account = `${quoted(username)}@${quoted(host)}`
  if (database === null) return [`GRANT USAGE ON *.* TO ${account}`]
  const pattern = quoted(database.replaceAll(/[\\_%]/g, '\\$&'))
  return [`GRANT USAGE ON *.* TO ${account}`, `GRANT ALL PRIVILEGES ON ${pattern}.* TO ${account}`]
}

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``

function statementsOf(
  account: Account,
  state: AccountState | undefined,
  now: AccountState | undefined,
): readonly SqlStatement[] {
  const { username, host } = account
  if (state === undefined) return [sql`drop user ${username}@${host}`]
  const extra = (now?.grants ?? []).some((grant) => !state.grants.includes(grant))
  const missing = extra ? state.grants : state.grants.filter((grant) => !now?.grants.includes(grant))
  return [
    accountIdentifiedBy(now === undefined ? 'create' : 'alter', account, state.authentication),
    ...(extra ? [sql`revoke all privileges, grant option from ${username}@${host}`] : []),
    ...missing.map((grant) => ({ parts: [grant], values: [] })),
  ]
}

/** True if an account may do more than connect. */
export async function hasRights(connection: SqlConnection, account: Account): Promise<boolean> {
  const found = await readAccount(connection, account)
  return (found?.grants ?? []).some((grant) => !grant.startsWith('GRANT USAGE ON *.* TO '))
}

/** Lists the accounts of this name, from whatever host, and the roles of it. */
export async function findAccounts(connection: SqlConnection, username: string): Promise<readonly Account[]> {
  const rows = await connection.run(
    sql`select User username, Host host from mysql.user where User = ${username}`,
  )
  return rows.map((row) => ({ username: String(row['username']), host: String(row['host']) }))
}

/** Returns the hash of the password of an account; undefined if there is none. */
export async function readPasswordHash(
  connection: SqlConnection,
  account: Account,
): Promise<string | undefined> {
  const found = await readAccount(connection, account)
  return found?.authentication
    .map(({ secret }) => secret)
    .find((secret) => /^\*[0-9A-F]{40}$/.test(secret) || isMysqlHash(secret))
}
