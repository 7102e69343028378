import type { Users } from './context.ts'
import { hashNewPassword } from './passwords.ts'
import { users } from './store.ts'
import { setPasswordHash, userRow } from './users.ts'

// Commands of the command line, which writes to the store itself: no panel runs, or none has had a request yet.

/** Creates the first superuser of an empty store; returns true if it did. */
export async function createFirstUser(on: Users, email: string, password: string): Promise<boolean> {
  if (!(await on.queries.isEmpty())) return false
  await addSuperuser(on, { email, fullname: 'Administrator', password })
  return true
}

/** Creates a superuser from the command line; returns true if the address was free. */
export async function createSuperuser(on: Users, email: string, password: string): Promise<boolean> {
  if (await on.queries.byEmail(email)) return false
  await addSuperuser(on, { email, fullname: email, password })
  return true
}

/** Sets a password from the command line, and ends all sessions of the user; returns true if the user exists. */
export async function replacePassword(
  { store, queries }: Users,
  email: string,
  password: string,
): Promise<boolean> {
  const user = await queries.byEmail(email)
  if (user === undefined) return false
  const rows = setPasswordHash(user, await hashNewPassword(user.email, password), { now: new Date() })
  await store.transaction((tx) => store.write(tx, rows))
  return true
}

interface Superuser {
  readonly email: string
  readonly fullname: string
  readonly password: string
}

async function addSuperuser({ store }: Users, { email, fullname, password }: Superuser): Promise<void> {
  const draft = { email: email.toLowerCase(), fullname, is_admin: true }
  const row = userRow(
    draft,
    store.nextId(users.name),
    new Date(),
    await hashNewPassword(draft.email, password),
  )
  await store.transaction((tx) => store.write(tx, [users.insert(row)]))
}
