import type { StepKind } from '../../../core/change.ts'
import { poll } from '../../../core/poll.ts'
import { finalStep, stateStep, type Was } from '../../../core/steps.ts'
import { sql, type SqlConnection } from '../../../host/apply/steps.ts'
import type { Files } from '../../../host/files.ts'
import { readReplica, type ReplicaStatus } from './status.ts'

/** What follows a primary. */
export interface Following {
  readonly connection: SqlConnection
  readonly files: Pick<Files, 'real' | 'write' | 'remove'>
}

interface FollowArgs {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  /** The certificate that the primary must have, as PEM. */
  readonly certificate: string
}

/** Where the replica has the certificate of its primary. */
const certificatePath = '/etc/mysql/hostreeve-primary.pem'

/** The step that has the server follow a primary by GTID, from the position that it has. The link is encrypted, and the certificate pinned. */
export function followPrimary(on: Following): StepKind<FollowArgs, null, null> {
  const { connection, files } = on
  return finalStep({
    name: 'mariadb.follow-primary',
    plan: ({ host, port, user }) => ({
      title: `Follow the SQL server ${host}, port ${port}, as ${user}`,
      details: ['The link is encrypted; the certificate of that server is pinned'],
    }),
    why: 'the server has applied changes of its primary: stop the replication instead',
    act: async ({ host, port, user, password, certificate }) => {
      await files.write(certificatePath, certificate)
      await connection.run(sql`stop slave`)
      await connection.run(
        sql`change master to master_host = ${host}, master_port = ${port}, master_user = ${user},
          master_password = ${password}, master_use_gtid = slave_pos, master_connect_retry = 5,
          master_heartbeat_period = 10, master_ssl = 1, master_ssl_ca = ${files.real(certificatePath)},
          master_ssl_verify_server_cert = 0`,
      )
      await connection.run(sql`start slave`)
      return null
    },
    isDone: async ({ host, port, user }) => {
      const now = await readReplica(connection)
      if (now === undefined) return false
      return (now.host === host && now.port === port && now.user === user && now.isApplying) || undefined
    },
  })
}

/** The step that starts or stops the threads of a replica. */
export function switchReplica(connection: SqlConnection): StepKind<{ verb: 'start' | 'stop' }, Was<Threads>> {
  return stateStep<{ verb: 'start' | 'stop' }, Threads>({
    name: 'mariadb.switch-replica',
    plan: ({ verb }) => ({ title: `${verb === 'start' ? 'Start' : 'Stop'} the replication of MariaDB` }),
    read: async () => threadsOf(await readReplica(connection)),
    wanted: ({ verb }) => ({ isStarted: verb === 'start' }),
    write: async (_args, wanted) => {
      if (wanted?.isStarted) await startAll(connection)
      else await connection.run(sql`stop slave`)
    },
  })
}

interface Threads {
  /** Both threads; false if one of them is stopped. */
  readonly isStarted: boolean
}

const threadsOf = (now: ReplicaStatus | undefined): Threads | undefined =>
  now && { isStarted: now.isApplying && now.isReceiverStarted }

const startAll = (connection: SqlConnection) => connection.run(sql`start slave`)

/** The step that stops and starts the threads of a replica, so that it connects and tries again. */
export const restartReplica = (connection: SqlConnection): StepKind<null, null, null> =>
  finalStep({
    name: 'mariadb.restart-replica',
    plan: () => ({ title: 'Stop and start the replication of MariaDB' }),
    why: 'it only connects again',
    act: async () => {
      await connection.run(sql`stop slave`)
      await startAll(connection)
      return null
    },
    isDone: async () => (await readReplica(connection))?.isApplying,
  })

/** The step that ends replication on a replica: it keeps its data and forgets its primary. */
export const forgetPrimary = ({ connection, files }: Following): StepKind<null, null, null> =>
  finalStep({
    name: 'mariadb.forget-primary',
    plan: () => ({ title: 'Stop the replication of MariaDB and forget its primary; the data stay' }),
    why: 'the password of the primary is not kept: connect again instead',
    act: async () => {
      await forget(connection)
      await files.remove(certificatePath)
      return null
    },
    isDone: async () => (await readReplica(connection)) === undefined || undefined,
  })

/** Stops the threads of a replica and forgets its primary. */
export async function forget(connection: SqlConnection): Promise<void> {
  await connection.run(sql`stop slave`)
  await connection.run(sql`reset slave all`)
}

interface Skipped {
  /** True if the replica stopped again, at a later change. */
  readonly is_stopped_again: boolean
}

const settleMs = 15_000

/** The step that leaves out the one change at which a replica stopped. */
export const skipChange = (
  connection: SqlConnection,
): StepKind<{ gtid: string; statements: readonly string[] }, Place, Skipped> =>
  finalStep<{ gtid: string; statements: readonly string[] }, Place, Skipped>({
    name: 'mariadb.skip-change',
    plan: ({ gtid, statements }) => ({
      title: `Leave out the change ${gtid} on this replica`,
      details: statements.length > 0 ? statements : ['What it changed cannot be read from the log'],
    }),
    why: 'a change that was left out is not applied later: synchronise again to have it',
    observe: async () => placeOf(await readReplica(connection)),
    act: async (_args, { before }) => {
      await connection.run(sql`stop slave`)
      await connection.run(sql`set global sql_slave_skip_counter = 1`)
      await startAll(connection)
      const isMoved = (now: ReplicaStatus | undefined) => placeOf(now).place !== before.place
      await poll(async () => isMoved(await readReplica(connection)) || undefined, {
        limitMs: settleMs,
        everyMs: 100,
      })
      return { is_stopped_again: !(await readReplica(connection))?.isApplying }
    },
    isDone: async (_args, before) => placeOf(await readReplica(connection)).place !== before.place,
  })

interface Place {
  readonly place: string
}

const placeOf = (now: ReplicaStatus | undefined): Place => ({
  place: `${now?.relayFile ?? ''} ${now?.relayPosition ?? 0}`,
})
