import type { Store } from '../../store/store.ts'
import { insertRow } from '../../store/rows.ts'
import { hashPassword } from './passwords.ts'
import type { UserQueries } from './store.ts'
import { userRow } from './users.ts'

/**
 * The commands that the command line runs on the store itself, while no panel runs or before the first
 * request.
 */
export function commandLineVerbs(store: Store, queries: UserQueries) {
  const addSuperuser = async ({
    email,
    fullname,
    password,
  }: {
    readonly email: string
    readonly fullname: string
    readonly password: string
  }) => {
    const draft = { email: email.toLowerCase(), fullname, is_admin: true }
    const row = userRow(draft, store.nextId('users'), new Date(), await hashPassword(password))
    await store.transaction((tx) => store.write(tx, [insertRow('users', row)]))
  }
  return {
    /** Creates the first superuser of an empty store; returns true if it did. */
    createFirst: async (email: string, password: string): Promise<boolean> => {
      if (!(await queries.isEmpty())) return false
      await addSuperuser({ email, fullname: 'Administrator', password })
      return true
    },
    /** Creates a superuser from the command line; returns true if the address was free. */
    createSuperuser: async (email: string, password: string): Promise<boolean> => {
      if (await queries.byEmail(email)) return false
      await addSuperuser({ email, fullname: email, password })
      return true
    },
    /** Sets a password from the command line, and ends all sessions of the user. */
    resetPassword: async (email: string, password: string): Promise<boolean> => {
      const user = await queries.byEmail(email)
      if (user === undefined) return false
      const set = {
        password_hash: await hashPassword(password),
        updated_at: new Date().toISOString(),
        revision: user.revision + 1,
      }
      await store.transaction((tx) =>
        store.write(tx, [
          { write: 'update', table: 'users', where: { id: user.id }, set },
          { write: 'delete', table: 'sessions', where: { user_id: user.id } },
        ]),
      )
      return true
    },
  }
}
