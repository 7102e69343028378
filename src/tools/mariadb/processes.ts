import { sql, type SqlConnection, type SqlRow } from '../../host/apply/steps.ts'

/** A connection to the server, or one of its own threads. */
export interface SqlProcess {
  readonly id: number
  readonly user: string
  readonly host: string
  readonly db: string | null
  readonly command: string
  /** Seconds since it entered its state. */
  readonly time: number
  readonly state: string | null
  /** The statement that it runs, without line ends. */
  readonly info: string | null
  /** The processes whose locks in InnoDB it waits for. */
  readonly blockedBy: readonly number[]
}

const longestInfo = 2000
export const mostProcesses = 5000

/** Lists what the server does, the longest first, without the connection that asks. */
export async function listProcesses(connection: SqlConnection): Promise<readonly SqlProcess[]> {
  const rows = await connection.run(
    sql`select id, user, host, db, command, time, state, left(info, ${longestInfo}) info
        from information_schema.processlist where id <> connection_id()
        order by time desc, id limit ${mostProcesses}`,
  )
  const blocked = new Map<number, number[]>()
  for (const { waiting, blocking } of await lockWaits(connection)) {
    const others = blocked.get(waiting) ?? []
    if (!others.includes(blocking)) blocked.set(waiting, [...others, blocking])
  }
  return rows.map((row) => ({ ...processOf(row), blockedBy: blocked.get(Number(row['id'])) ?? [] }))
}

/** The row locks of InnoDB that are waited for, as pairs of processes; a metadata lock shows in `state` alone. */
async function lockWaits(connection: SqlConnection) {
  const rows = await connection.run(
    sql`select distinct r.trx_mysql_thread_id waiting, b.trx_mysql_thread_id blocking
        from information_schema.innodb_lock_waits w
        join information_schema.innodb_trx r on r.trx_id = w.requesting_trx_id
        join information_schema.innodb_trx b on b.trx_id = w.blocking_trx_id`,
  )
  return rows.map(({ waiting, blocking }) => ({ waiting: Number(waiting), blocking: Number(blocking) }))
}

const processOf = (row: SqlRow): Omit<SqlProcess, 'blockedBy'> => ({
  id: Number(row['id']),
  user: lineOf(row['user']) ?? '',
  host: lineOf(row['host']) ?? '',
  db: lineOf(row['db']),
  command: lineOf(row['command']) ?? '',
  time: Math.max(0, Number(row['time'] ?? 0)),
  state: lineOf(row['state']),
  info: lineOf(row['info']),
})

const lineOf = (value: SqlRow[string] | undefined): string | null =>
  value === null || value === undefined ? null : String(value).replaceAll(/[\u0000-\u001f\u007f]+/g, ' ')

const replication = /^(?:Binlog Dump|Slave_|Register Slave)/

/** True for a client's connection: neither a thread of the server nor one that serves or applies replication. */
export const isClient = ({ user, command }: Pick<SqlProcess, 'user' | 'command'>): boolean =>
  user !== 'system user' && user !== 'event_scheduler' && command !== 'Daemon' && !replication.test(command)

/** True for a client that runs a statement, or is about to. */
export const isBusy = (process: Pick<SqlProcess, 'user' | 'command'>): boolean =>
  isClient(process) && process.command !== 'Sleep' && process.command !== 'Killed'
