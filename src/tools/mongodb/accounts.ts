import { finalStep, stateStep, type Was } from '../../core/steps.ts'
import type { StepKind } from '../../core/change.ts'
import { AccountExists } from './problems.ts'
import type { BsonDocument, BsonValue } from './wire/bson.ts'
import type { DocumentConnection } from './wire/client.ts'

/** An account of the server: the database is the one that it signs in to, and part of its name. */
interface Account {
  readonly username: string
  readonly database: string
}

/** An account as the server has it. */
interface FoundAccount extends Account {
  /** `role@database` */
  readonly roles: readonly string[]
}

interface NewAccount extends Account {
  readonly password: string
  /** Granted on the database. */
  readonly role: string
}

const mostAccounts = 5000

/** Lists all accounts by database and name. */
export async function listAccounts(connection: DocumentConnection): Promise<readonly FoundAccount[]> {
  // usersInfo with forAllDBs would do too, but not on all servers that speak this protocol
  const { cursor } = await connection.run('admin', {
    find: 'system.users',
    projection: { user: 1, db: 1, roles: 1 },
    sort: { db: 1, user: 1 },
    limit: mostAccounts,
    batchSize: mostAccounts,
    singleBatch: true,
  })
  return listOf(recordOf(cursor)['firstBatch']).map((row) => accountIn(recordOf(row)))
}

/** Finds one account; undefined if there is none. */
export async function findAccount(
  connection: DocumentConnection,
  { username, database }: Account,
): Promise<FoundAccount | undefined> {
  const { users } = await connection.run(database, { usersInfo: { user: username, db: database } })
  const [found] = listOf(users)
  return found === undefined ? undefined : accountIn(recordOf(found))
}

const accountIn = ({ user, db, roles }: BsonDocument): FoundAccount => ({
  username: String(user),
  database: String(db),
  roles: listOf(roles)
    .map(recordOf)
    .map(({ role, db: of }) => `${String(role)}@${String(of)}`),
})

/** The entries of a list in a reply; none if it is no list. */
export const listOf = (value: BsonValue | undefined): readonly BsonValue[] =>
  Array.isArray(value) ? value : []

/** A document in a reply; empty if it is none. */
export const recordOf = (value: BsonValue | undefined): BsonDocument =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
    ? (value as BsonDocument)
    : {}

/** The step that makes an account with a role on its database. */
export function createAccount(
  connection: DocumentConnection,
): StepKind<NewAccount, Was<{ readonly roles: readonly string[] }>, null> {
  return stateStep<NewAccount, { readonly roles: readonly string[] }>({
    name: 'mongodb.create-account',
    plan: ({ username, database, role }) => ({
      title: `Create the account ${username} of the database ${database} with the role ${role}`,
    }),
    read: async (args) => {
      const found = await findAccount(connection, args)
      return found && { roles: found.roles }
    },
    wanted: ({ role, database }) => ({ roles: [`${role}@${database}`] }),
    refuse: ({ username, database }, now) => {
      if (now !== undefined) throw AccountExists(`username: ${username} exists in the database ${database}`)
    },
    write: async ({ username, database, password, role }, state, { now }) => {
      if (state === undefined) return connection.run(database, { dropUser: username })
      if (now !== undefined) return undefined
      return connection.run(database, {
        createUser: username,
        pwd: password,
        roles: [{ role, db: database }],
      })
    },
  })
}

/** The step that removes an account. */
export const dropAccount = (connection: DocumentConnection): StepKind<Account, null, null> =>
  finalStep<Account>({
    name: 'mongodb.drop-account',
    plan: ({ username, database }) => ({
      title: `Remove the account ${username} of the database ${database}`,
    }),
    why: 'its password is known to the server alone',
    act: async ({ username, database }) => {
      if ((await findAccount(connection, { username, database })) !== undefined)
        await connection.run(database, { dropUser: username })
      return null
    },
    isDone: async (args) => (await findAccount(connection, args)) === undefined,
  })
