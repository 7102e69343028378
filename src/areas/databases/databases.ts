import { type Change, change, type RowWrite, type Step } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import type { Lock } from '../../core/lock.ts'
import { success } from '../../core/reply.ts'
import { type LoadedWebsite, websiteLocks } from '../websites/index.ts'
import type { Databases } from './context.ts'
import type { Engine } from './engines/engine.ts'
import { engineOf } from './engines/index.ts'
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
  { engine: name = 'mariadb', password, ...draft }: DatabaseDraft,
  { now, id }: Pick<Deciding, 'now' | 'id'>,
): Promise<Change<Database>> {
  const engine = engineOf(on, { engine: name })
  await assertInstalled(engine)
  const filed = await fileDatabase(on, site, { ...draft, engine, id: id(databases.name), now })
  const encoding = await engine.chooseEncoding(draft)
  const database = filed.row.name
  return change({
    summary: `Create the database ${database}`,
    locks: filed.locks,
    steps: [
      ...engine.createDatabase({ name: database, ...encoding }),
      engine.setAccount({ ...filed.account, database, secret: await engine.secretOf(password) }),
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
  readonly engine: Engine
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
  { engine, id, now, ...draft }: Filing,
): Promise<Filed> {
  const owner = site.username
  const name = fullName(engine, 'name', { owner, name: draft.name })
  const account = {
    username: fullName(engine, 'username', { owner, name: draft.username }),
    host: 'localhost',
  }
  await assertNameFree(on, engine, name)
  await assertUsernameFree(on, engine, { ...account, databaseId: id })
  const at = now.toISOString()
  const owners = { user_id: site.user_id, website_id: site.id }
  const row = databases.row({ id, engine: engine.name, name, ...owners, created_at: at, updated_at: at })
  return {
    row,
    account,
    locks: [...websiteLocks([site.domain]), databaseLock(name), databaseAccountLock(account.username)],
    rows: [databases.insert(row), databaseAccounts.insert({ ...account, database_id: id })],
  }
}

/** Deletes a database with its users. */
export async function deleteDatabase(on: Databases, row: DatabaseRow): Promise<Change<{ success: true }>> {
  await assertInstalled(engineOf(on, row))
  const { locks, steps, rows } = await removal(on, row)
  return change({ summary: `Delete the database ${row.name}`, locks, steps, rows, reply: success })
}

export interface Removal {
  readonly locks: readonly Lock[]
  readonly steps: readonly Step[]
  readonly rows: readonly RowWrite[]
}

/** Returns what removes a database: its users first, as their removal can be undone. */
export async function removal(on: Databases, row: DatabaseRow): Promise<Removal> {
  const { id, name } = row
  const accounts = await on.queries.accountsOf([id])
  return {
    locks: [databaseLock(name), ...accounts.map(({ username }) => databaseAccountLock(username))],
    steps: [...removeAccounts(on, row, accounts), ...engineOf(on, row).dropDatabase({ name })],
    rows: [databaseAccounts.delete({ database_id: id }), databases.delete({ id })],
  }
}

/** Returns the steps that remove accounts of a database from the server. */
export const removeAccounts = (
  on: Databases,
  row: DatabaseRow,
  accounts: readonly AccountRow[],
): readonly Step[] =>
  accounts.map(({ username, host }) =>
    engineOf(on, row).setAccount({ username, host, database: row.name, secret: null }),
  )
