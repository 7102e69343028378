import { type Change, change, type RowWrite, type Step, step } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import type { Lock } from '../../core/lock.ts'
import { Unavailable } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { hashOf } from '../../tools/mariadb/index.ts'
import { type LoadedWebsite, websiteLocks } from '../websites/index.ts'
import type { Databases } from './context.ts'
import { chooseEncoding } from './encoding.ts'
import type { Database, DatabaseDraft } from './model.ts'
import {
  assertInstalled,
  assertNameFree,
  assertUsernameFree,
  databaseAccountLock,
  databaseLock,
  fullName,
} from './names.ts'
import { showDatabase } from './show.ts'
import { type AccountRow, databaseAccounts, type DatabaseRow, databases } from './store.ts'

/** Creates a database of a website, with a user who has all rights on it. */
export async function createDatabase(
  on: Databases,
  site: LoadedWebsite,
  { engine = 'mariadb', password, ...draft }: DatabaseDraft,
  { now, id }: Pick<Deciding, 'now' | 'id'>,
): Promise<Change<Database>> {
  if (engine !== 'mariadb') throw Unavailable(`engine: the panel has no ${engine} yet: use mariadb`)
  await assertInstalled(on)
  const filed = await fileDatabase(on, site, { ...draft, id: id(databases.name), now })
  const encoding = await chooseEncoding(on, draft)
  const { createDatabase: create, setAccount } = on.mariadb.steps
  const { name } = filed.row
  return change({
    summary: `Create the database ${name}`,
    locks: filed.locks,
    steps: [
      step(create, { name, ...encoding }),
      step(setAccount, { ...filed.account, database: name, hash: hashOf(password) }),
    ],
    rows: filed.rows,
    reply: showDatabase(filed.row, {
      domain: site.domain,
      accounts: [filed.account],
      found: { ...encoding, sizeBytes: 0, rows: 0, tables: 0 },
    }),
  })
}

interface Filing {
  readonly id: number
  readonly name: string
  readonly username: string
  readonly now: Date
}

interface Filed {
  readonly row: DatabaseRow
  readonly account: Pick<AccountRow, 'username' | 'host'>
  readonly locks: readonly Lock[]
  readonly rows: readonly RowWrite[]
}

/** Returns the rows of a new database of a website and of its first user; fails if a name is taken. */
export async function fileDatabase(
  on: Databases,
  site: LoadedWebsite,
  { id, now, ...draft }: Filing,
): Promise<Filed> {
  const name = fullName('name', site.username, draft.name)
  const account = { username: fullName('username', site.username, draft.username), host: 'localhost' }
  await assertNameFree(on, name)
  await assertUsernameFree(on, account, id)
  const at = now.toISOString()
  const owners = { user_id: site.user_id, website_id: site.id }
  const row = databases.row({ id, engine: 'mariadb', name, ...owners, created_at: at, updated_at: at })
  return {
    row,
    account,
    locks: [...websiteLocks([site.domain]), databaseLock(name), databaseAccountLock(account.username)],
    rows: [databases.insert(row), databaseAccounts.insert({ ...account, database_id: id })],
  }
}

/** Deletes a database with its users. */
export async function deleteDatabase(on: Databases, row: DatabaseRow): Promise<Change<{ success: true }>> {
  await assertInstalled(on)
  const { locks, steps, rows } = await removal(on, row)
  return change({ summary: `Delete the database ${row.name}`, locks, steps, rows, reply: success })
}

export interface Removal {
  readonly locks: readonly Lock[]
  readonly steps: readonly Step[]
  readonly rows: readonly RowWrite[]
}

/** Returns what removes a database: its users first, as their removal can be undone. */
export async function removal(on: Databases, { id, name }: DatabaseRow): Promise<Removal> {
  const accounts = await on.queries.accountsOf([id])
  return {
    locks: [databaseLock(name), ...accounts.map(({ username }) => databaseAccountLock(username))],
    steps: [...removeAccounts(on, name, accounts), step(on.mariadb.steps.dropDatabase, { name })],
    rows: [databaseAccounts.delete({ database_id: id }), databases.delete({ id })],
  }
}

/** Returns the steps that remove accounts of a database from the server. */
export const removeAccounts = (
  { mariadb }: Databases,
  database: string,
  accounts: readonly AccountRow[],
): readonly Step[] =>
  accounts.map(({ username, host }) =>
    step(mariadb.steps.setAccount, { username, host, database, hash: null }),
  )
