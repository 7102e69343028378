import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import { sql, type SqlConnection } from '../../../host/apply/steps.ts'

interface ReplicaAccountArgs {
  readonly username: string
  /** Of its password; null removes the account and ends its connections. */
  readonly hash: string | null
}

interface ReplicaAccount {
  readonly hash: string
}

/** From any address: a replica may have several. It needs the password and an encrypted connection. */
const host = '%'

/** The step that creates the account of a replica, which may read the binary log and nothing else, or removes it. */
export function setReplicaAccount(
  connection: SqlConnection,
): StepKind<ReplicaAccountArgs, Was<ReplicaAccount>, null> {
  return stateStep<ReplicaAccountArgs, ReplicaAccount>({
    name: 'mariadb.set-replica-account',
    plan: ({ username, hash }) =>
      hash === null
        ? { title: `Remove the account ${username} of a replica from MariaDB` }
        : {
            title: `Create the account ${username} of a replica in MariaDB`,
            details: ['It may read the binary log, over an encrypted connection alone'],
          },
    read: async ({ username }) => {
      const [row] = await connection.run(
        sql`select authentication_string hash from mysql.user where User = ${username} and Host = ${host}`,
      )
      return row && { hash: String(row['hash']) }
    },
    wanted: ({ hash }) => (hash === null ? undefined : { hash }),
    write: async ({ username }, state) => {
      if (state === undefined) {
        await connection.run(sql`drop user if exists ${username}@${host}`)
        await connection.run(sql`kill user ${username}`)
        return
      }
      await connection.run(
        sql`create or replace user ${username}@${host} identified via mysql_native_password using ${state.hash} require ssl`,
      )
      await connection.run(sql`grant replication slave on *.* to ${username}@${host}`)
    },
  })
}
