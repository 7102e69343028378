import { randomBytes } from 'node:crypto'
import { type RowWrite, type Step, step } from '../../core/change.ts'
import type { Lock } from '../../core/lock.ts'
import { hashOf } from '../../tools/mariadb/index.ts'
import type { LoadedWebsite } from '../websites/index.ts'
import type { Databases } from './context.ts'
import { engineOf } from './engines/index.ts'
import { assertNameFree, assertUsernameFree, databaseAccountLock, databaseLock } from './names.ts'
import { NameTaken, UserMissing } from './problems.ts'
import { type AccountRow, databaseAccounts, databases } from './store.ts'

type Account = Pick<AccountRow, 'username' | 'host'>

/** A database as a backup describes it. */
interface Described {
  readonly name: string
  readonly charset: string
  readonly collation: string
  readonly accounts: readonly (Account & { readonly hash: string | null })[]
}

/** What makes a database of a website ready for a dump of it. */
export interface RestoredDatabase {
  /** True if the website has it already. */
  readonly isPresent: boolean
  /** The account to which views and routines belong. */
  readonly definer: Account
  readonly locks: readonly Lock[]
  readonly steps: readonly Step[]
  readonly rows: readonly RowWrite[]
}

/**
 * Returns what a database of a website needs before it is restored; one that was deleted, or lost with its server, is made
 * again, with its users.
 */
export async function restoredDatabase(
  on: Databases,
  site: LoadedWebsite,
  described: Described,
  { id, now }: { readonly id: number; readonly now: Date },
): Promise<RestoredDatabase> {
  const { name } = described
  const known = await on.queries.named(name)
  if (known === undefined) return madeAgain(on, site, described, { id, now })
  if (known.website_id !== site.id || known.engine !== 'mariadb')
    throw NameTaken(`The database ${name} belongs to another website or server by now`)
  const accounts = await on.queries.accountsOf([known.id])
  const [definer] = accounts
  if (definer === undefined) throw UserMissing(`${name} has no user to whom its views could belong: add one`)
  const isPresent = (await on.mariadb.findDatabases([name])).has(name)
  return {
    isPresent,
    definer: { username: definer.username, host: definer.host },
    locks: [databaseLock(name), ...accounts.map(({ username }) => databaseAccountLock(username))],
    steps: isPresent ? [] : makingSteps(on, described, accounts),
    rows: [],
  }
}

/** The steps that make a database with users, each with the former password; one whose password nobody knows gets a random one. */
function makingSteps(
  { mariadb }: Pick<Databases, 'mariadb'>,
  { name, charset, collation, accounts: described }: Described,
  accounts: readonly Account[],
): readonly Step[] {
  const { createDatabase, setAccount } = mariadb.steps
  const hashes = new Map(described.map(({ username, host, hash }) => [`${username}@${host}`, hash]))
  return [
    step(createDatabase, { name, charset, collation }),
    ...accounts.map(({ username, host }) =>
      step(setAccount, {
        username,
        host,
        database: name,
        hash: hashes.get(`${username}@${host}`) ?? hashOf(randomBytes(18).toString('hex')),
      }),
    ),
  ]
}

async function madeAgain(
  on: Databases,
  site: LoadedWebsite,
  described: Described,
  { id, now }: { readonly id: number; readonly now: Date },
): Promise<RestoredDatabase> {
  const { name, accounts } = described
  const engine = engineOf(on, { engine: 'mariadb' })
  await assertNameFree(on, engine, name)
  for (const account of accounts) await assertUsernameFree(on, engine, { ...account, databaseId: id })
  const [definer] = accounts
  if (definer === undefined) throw UserMissing(`${name} had no user to whom its views could belong`)
  const at = now.toISOString()
  const owners = { user_id: site.user_id, website_id: site.id }
  const row = databases.row({ id, engine: 'mariadb', name, ...owners, created_at: at, updated_at: at })
  return {
    isPresent: false,
    definer: { username: definer.username, host: definer.host },
    locks: [databaseLock(name), ...accounts.map(({ username }) => databaseAccountLock(username))],
    steps: makingSteps(on, described, accounts),
    rows: [
      databases.insert(row),
      ...accounts.map(({ username, host }) => databaseAccounts.insert({ username, host, database_id: id })),
    ],
  }
}
