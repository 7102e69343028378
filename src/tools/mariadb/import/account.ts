import type { KeyedMutex } from '../../../core/keyed-mutex.ts'
import { poll } from '../../../core/poll.ts'
import { identifier, sql, type SqlConnection } from '../../../host/apply/steps.ts'
import { accountIdentifiedBy } from '../authentication.ts'
import { byHash, hashOf } from '../password-hash.ts'

/** With the longest name of a database, no account has more than 80 characters. */
const prefix = 'hostreeve:'

/** The accounts by which this panel imports. */
export interface ImportAccounts {
  readonly connection: SqlConnection
  /** The databases into which this panel imports now. */
  readonly active: Set<string>
  /**
   * By account: a start removes what a killed panel left while the undo of its import restores the database, under the same
   * account.
   */
  readonly alone: KeyedMutex<string>
}

/** Returns the name of the account at localhost that imports into a database. */
export const importAccount = (database: string): string => `${prefix}${database}`

/** Creates the account of an import, which has all rights on one database and no other. */
export async function createImportAccount(
  { connection, alone }: ImportAccounts,
  database: string,
  password: string,
): Promise<void> {
  await alone.run(importAccount(database), () => create(connection, database, password))
}

async function create(connection: SqlConnection, database: string, password: string): Promise<void> {
  const account = importAccount(database)
  await drop(connection, account)
  const identity = { username: account, host: 'localhost' }
  await connection.run(accountIdentifiedBy('create', identity, [byHash(hashOf(password))]))
  // in a grant `_` and `%` are wildcards: unescaped, `ann_shop` would also be `annexshop` of another owner
  const pattern = identifier(database.replaceAll(/[\\_%]/g, '\\$&'))
  await connection.run(sql`grant all privileges on ${pattern}.* to ${account}@${'localhost'}`)
}

const endMs = 60_000

/** Ends the connections of the account of an import, waits until the server has ended them, and removes it. */
export async function dropImportAccount(
  { connection, alone }: ImportAccounts,
  database: string,
): Promise<void> {
  const account = importAccount(database)
  await alone.run(account, () => drop(connection, account))
}

/** Removes the accounts of imports that a killed panel left, but for those that are in use. */
export async function dropImportAccounts({ connection, active, alone }: ImportAccounts): Promise<void> {
  const rows = await connection.run(
    sql`select User as account from mysql.user where Host = 'localhost' and left(User, ${prefix.length}) = ${prefix}`,
  )
  for (const row of rows) {
    const account = String(row['account'])
    await alone.run(account, async () => {
      if (!active.has(account.slice(prefix.length))) await drop(connection, account)
    })
  }
}

async function drop(connection: SqlConnection, account: string): Promise<void> {
  const [row] = await connection.run(
    sql`select count(*) as count from mysql.user where User = ${account} and Host = 'localhost'`,
  )
  if (Number(row?.['count']) === 0) return
  await connection.run(sql`alter user ${account}@${'localhost'} account lock`)
  await poll(() => hasEnded(connection, account), { limitMs: endMs, everyMs: 50 })
  await connection.run(sql`drop user if exists ${account}@${'localhost'}`)
}

/** A client that is gone may still have a statement under way. */
async function hasEnded(connection: SqlConnection, account: string): Promise<true | undefined> {
  const rows = await connection.run(
    sql`select id from information_schema.processlist where user = ${account}`,
  )
  for (const row of rows) await connection.run(sql`kill hard connection ${Number(row['id'])}`).catch(() => {}) // it has ended
  return rows.length === 0 ? true : undefined
}
