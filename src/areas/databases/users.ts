import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { type Change, change } from '../../core/change.ts'
import { NotFound } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import type { Databases } from './context.ts'
import { removeAccounts } from './databases.ts'
import { engineOf } from './engines/index.ts'
import type { DatabaseUser, DatabaseUserDraft, DatabaseUsers, NewDatabasePassword } from './model.ts'
import { assertInstalled, assertUsernameFree, databaseAccountLock, databaseLock, fullName } from './names.ts'
import { type AccountRow, databaseAccounts, type DatabaseRow } from './store.ts'

/** Lists the users of a database. */
export async function listUsers(
  { queries }: Databases,
  { id }: DatabaseRow,
): Promise<Static<typeof DatabaseUsers>> {
  const accounts = await queries.accountsOf([id])
  return {
    message: 'Users are listed with their databases by GET /api/websites/{id}/databases',
    users: accounts.map(({ username, host }) => ({ username, host })),
  }
}

/** A database whose users are changed; it may be about to be created. */
export type UsedDatabase = Pick<DatabaseRow, 'id' | 'name' | 'engine' | 'user_id'>

/** Adds a user who has all rights on a database and on no other. */
export async function addUser(
  on: Databases,
  database: UsedDatabase,
  draft: DatabaseUserDraft,
): Promise<Change<DatabaseUser>> {
  const engine = engineOf(on, database)
  await assertInstalled(engine)
  const owner = await ownerOf(on, database)
  const username = fullName(engine, 'username', { owner, name: draft.username })
  const account = { username, host: engine.accountHost(draft.host) }
  await assertUsernameFree(on, engine, { ...account, databaseId: database.id })
  return change({
    summary: `Add the user ${username} to the database ${database.name}`,
    locks: [databaseLock(database.name), databaseAccountLock(username)],
    steps: [
      engine.setAccount({
        ...account,
        database: database.name,
        secret: await engine.secretOf(draft.password),
      }),
    ],
    rows: [databaseAccounts.insert({ ...account, database_id: database.id })],
    reply: account,
  })
}

/** The prefix of further users: the account of the owner, who may have changed with the website. */
async function ownerOf({ queries }: Databases, { name, user_id: userId }: UsedDatabase): Promise<string> {
  const owner = userId === null ? undefined : await queries.usernameOf(userId)
  if (owner === undefined)
    throw NotFound(`id: the database ${name} has no owner: users cannot be added to it`)
  return owner
}

/** Removes a user from a database, from whatever host it connects, or of one host alone. */
export async function removeUser(
  on: Databases,
  database: DatabaseRow,
  username: string,
  host?: string,
): Promise<Change<{ success: true }>> {
  await assertInstalled(engineOf(on, database))
  const ofName = await loadAccounts(on, database, username)
  const accounts = ofName.filter((account) => host === undefined || account.host === host)
  return change({
    summary: `Remove the user ${username} from the database ${database.name}`,
    locks: [databaseLock(database.name), databaseAccountLock(username)],
    steps: removeAccounts(on, database, accounts),
    rows: [
      databaseAccounts.delete({
        database_id: database.id,
        username,
        ...(host !== undefined && { host }),
      }),
    ],
    reply: success,
  })
}

/** Sets the password of a user, a random one if none is given; the reply alone shows it. */
export async function resetPassword(
  on: Databases,
  database: DatabaseRow,
  username: string,
  { password = randomBytes(18).toString('base64url') }: { readonly password?: string },
): Promise<Change<Static<typeof NewDatabasePassword>>> {
  const engine = engineOf(on, database)
  await assertInstalled(engine)
  const accounts = await loadAccounts(on, database, username)
  const secret = await engine.secretOf(password)
  return change({
    summary: `Reset the password of the database user ${username}`,
    locks: [databaseLock(database.name), databaseAccountLock(username)],
    steps: accounts.map(({ host }) => engine.setAccount({ username, host, database: database.name, secret })),
    reply: { username, password },
  })
}

async function loadAccounts(
  { queries }: Databases,
  { id, name }: DatabaseRow,
  username: string,
): Promise<readonly AccountRow[]> {
  const accounts = (await queries.accountsOf([id])).filter((account) => account.username === username)
  if (accounts.length === 0) throw NotFound(`username: the database ${name} has no user ${username}`)
  return accounts
}
