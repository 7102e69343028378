import { type Change, change, step } from '../../core/change.ts'
import { lock } from '../../core/lock.ts'
import { BadRequest } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { AccountExists, isImportAccount, panelAccount } from '../../tools/mongodb/index.ts'
import type { DocdbServer } from './context.ts'
import type { DocdbUserDraft, DocdbUsers } from './model.ts'
import { AccountOfPanel, NoSuchAccount } from './problems.ts'
import { assertUsable, reasonOf } from './server.ts'

const accountLock = lock('docdb account')
const { NotAnswering } = connectProblems

/** Lists the accounts of the server, with the reason where it does not answer. */
export async function listUsers({ tool }: DocdbServer): Promise<DocdbUsers> {
  const { present, reason } = await tool.detect()
  if (!present) return { users: [], reason }
  try {
    if (!(await tool.isRunning())) throw NotAnswering('MongoDB is stopped: start it')
    const accounts = await tool.listAccounts()
    const users = accounts.map(({ username, database, roles }) => ({
      user: username,
      db: database,
      roles: [...roles],
    }))
    return { users, reason: null }
  } catch (error) {
    return { users: [], reason: reasonOf(error) }
  }
}

/** Makes an account with a role on its database. */
export async function createUser(
  on: DocdbServer,
  { username, password, database, role = 'readWrite' }: DocdbUserDraft,
): Promise<Change<{ success: true }>> {
  await assertUsable(on)
  if (isImportAccount(username))
    throw BadRequest(`username: ${username} is a name for imports: such an account is removed after them`)
  if (isOfPanel(username, database)) throw AccountExists(`username: ${username} is the account of the panel`)
  return change({
    summary: `Create the account ${username} of the document database ${database}`,
    locks: [accountLock(`${database}.${username}`)],
    steps: [step(on.tool.steps.createAccount, { username, database, password, role })],
    reply: success,
  })
}

/** Removes an account. Without its own, the panel could not reach the server any more. */
export async function deleteUser(
  on: DocdbServer,
  username: string,
  database: string,
): Promise<Change<{ success: true }>> {
  await assertUsable(on)
  if (isOfPanel(username, database))
    throw AccountOfPanel(`username: the panel reaches the server as ${username}`)
  const accounts = await on.tool.listAccounts()
  if (!accounts.some((each) => each.username === username && each.database === database))
    throw NoSuchAccount(`username: the database ${database} has no account ${username}`)
  return change({
    summary: `Remove the account ${username} of the document database ${database}`,
    locks: [accountLock(`${database}.${username}`)],
    steps: [step(on.tool.steps.dropAccount, { username, database })],
    reply: success,
  })
}

const isOfPanel = (username: string, database: string): boolean =>
  username === panelAccount && database === 'admin'
