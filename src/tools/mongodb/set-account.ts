import type { StepKind } from '../../core/change.ts'
import { findAccount } from './accounts.ts'
import type { DocumentConnection } from './wire/client.ts'

interface AccountArgs {
  readonly username: string
  /** The one database that the account has rights on, and in which it signs in. */
  readonly database: string
  /** Null removes the account. */
  readonly password: string | null
}

type Before = { readonly existed: boolean }

const unknownPassword = 'the former password is known to the server alone'

/** The step that creates an account of one database, sets its password, or removes it. */
export function setAccount(connection: DocumentConnection): StepKind<AccountArgs, Before, null> {
  const exists = async (args: AccountArgs) => (await findAccount(connection, args)) !== undefined
  const drop = async (args: AccountArgs) => {
    if (await exists(args)) await connection.run(args.database, { dropUser: args.username })
  }
  return {
    name: 'mongodb.set-account',
    plan: async (args) => {
      const { username, database, password } = args
      const existed = await exists(args)
      const irreversible = existed && { irreversible: unknownPassword }
      if (password === null) return { title: `Remove the account ${username} from MongoDB`, ...irreversible }
      if (existed) return { title: `Set the password of the account ${username} in MongoDB`, ...irreversible }
      return {
        title: `Create the account ${username} of the database ${database} in MongoDB`,
        details: ['It has the roles readWrite and dbAdmin on this database, and no others'],
      }
    },
    observe: async (args) => ({ existed: await exists(args) }),
    act: async (args) => {
      const { username, database, password } = args
      if (password === null) await drop(args)
      else if (await exists(args)) await connection.run(database, { updateUser: username, pwd: password })
      else await connection.run(database, { createUser: username, pwd: password, roles: rolesOn(database) })
      return null
    },
    undo: async (args, { existed }) => {
      if (!existed) await drop(args)
    },
    notUndone: unknownPassword,
    check: async (args, { existed }) => {
      const isThere = await exists(args)
      if (args.password === null) return isThere ? 'before' : 'wanted'
      if (existed) return 'other'
      return isThere ? 'wanted' : 'before'
    },
  }
}

const rolesOn = (db: string) => ['readWrite', 'dbAdmin'].map((role) => ({ role, db }))
