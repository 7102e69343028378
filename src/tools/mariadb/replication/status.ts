import { sql, type SqlConnection, type SqlRow } from '../../../host/apply/steps.ts'

/** What a replica does, in the words of the server. */
export interface ReplicaStatus {
  readonly host: string
  readonly port: number
  readonly user: string
  /** The server id of the primary; zero until the replica has been connected. */
  readonly primaryId: number
  /** True while the thread that receives changes is connected. */
  readonly isReceiving: boolean
  /** True while one of the two threads is started, connected or not. */
  readonly isReceiverStarted: boolean
  readonly isApplying: boolean
  /** Seconds by which the applied changes are behind; null while it is not known. */
  readonly lagSeconds: number | null
  /** Zero for none. */
  readonly errorNumber: number
  readonly errorMessage: string
  /** True if applying a change failed; false if receiving did. */
  readonly isApplyError: boolean
  readonly receivedGtid: string
  readonly relayFile: string
  readonly relayPosition: number
}

/** Where the binary log of a server ends. */
export interface Position {
  readonly serverId: number
  /** False while the server writes no binary log, so that no other can follow it. */
  readonly isLogging: boolean
  /** The last change that the server made or applied. */
  readonly gtid: string
  readonly file: string | null
  readonly position: number | null
}

const text = (row: SqlRow, name: string): string => String(row[name] ?? '')

/** Reads the state of a replica; undefined if the server follows no other. */
export async function readReplica(connection: SqlConnection): Promise<ReplicaStatus | undefined> {
  const [row] = await connection.run(sql`show slave status`)
  if (row === undefined) return undefined
  const applyError = Number(row['Last_SQL_Errno'] ?? 0)
  const receiving = text(row, 'Slave_IO_Running')
  const lag = row['Seconds_Behind_Master']
  return {
    host: text(row, 'Master_Host'),
    port: Number(row['Master_Port']),
    user: text(row, 'Master_User'),
    primaryId: Number(row['Master_Server_Id'] ?? 0),
    isReceiving: receiving === 'Yes',
    isReceiverStarted: receiving !== 'No',
    isApplying: text(row, 'Slave_SQL_Running') === 'Yes',
    lagSeconds: lag === null || lag === undefined ? null : Number(lag),
    errorNumber: applyError || Number(row['Last_IO_Errno'] ?? 0),
    errorMessage: text(row, applyError ? 'Last_SQL_Error' : 'Last_IO_Error'),
    isApplyError: applyError !== 0,
    receivedGtid: text(row, 'Gtid_IO_Pos'),
    relayFile: text(row, 'Relay_Log_File'),
    relayPosition: Number(row['Relay_Log_Pos'] ?? 0),
  }
}

/** Reads how far the server is. */
export async function readPosition(connection: SqlConnection): Promise<Position> {
  const [row] = await connection.run(
    sql`select @@server_id id, @@log_bin has_log, @@gtid_current_pos current, @@gtid_binlog_pos logged`,
  )
  const isLogging = Number(row?.['has_log']) === 1
  const [log] = isLogging ? await connection.run(sql`show master status`) : []
  return {
    serverId: Number(row?.['id']),
    isLogging,
    gtid: String(row?.['current'] || row?.['logged'] || ''),
    file: log === undefined ? null : text(log, 'File'),
    position: log === undefined ? null : Number(log['Position']),
  }
}

/** A server that receives changes now. */
export interface Follower {
  readonly user: string
  readonly address: string
  /** Since when it is in its state. */
  readonly seconds: number
  /** True while it was sent every change of this server. */
  readonly hasAll: boolean
}

/** Lists the servers that receive changes from this one now. */
export async function listFollowers(connection: SqlConnection): Promise<readonly Follower[]> {
  const rows = await connection.run(
    sql`select user, host, time, state from information_schema.processlist where command like 'Binlog Dump%'`,
  )
  return rows.map((row) => ({
    user: text(row, 'user'),
    address: text(row, 'host').replace(/:\d+$/, ''),
    seconds: Math.max(0, Number(row['time'] ?? 0)),
    hasAll: /has sent all/i.test(text(row, 'state')),
  }))
}

/** The change at which a replica stopped. */
export interface FailedChange {
  readonly gtid: string
  /** Its statements, where the log has them: of changed rows, the statement that changed them if it is annotated. */
  readonly statements: readonly string[]
}

const mostEvents = 50

/** Reads the change that a replica could not apply. */
export async function readFailedChange(
  connection: SqlConnection,
  { relayFile, relayPosition }: Pick<ReplicaStatus, 'relayFile' | 'relayPosition'>,
): Promise<FailedChange> {
  const rows = await connection.run(
    sql`show relaylog events in ${relayFile} from ${relayPosition} limit ${mostEvents}`,
  )
  const first = rows.findIndex((row) => text(row, 'Event_type') === 'Gtid')
  const next = rows.findIndex((row, at) => at > first && text(row, 'Event_type') === 'Gtid')
  const own = rows.slice(Math.max(first, 0), next === -1 ? undefined : next)
  const shown = own.filter((row) =>
    /^(?:Query|Annotate_rows|Write|Update|Delete)/.test(text(row, 'Event_type')),
  )
  return {
    gtid: /GTID (\S+)/.exec(text(own[0] ?? {}, 'Info'))?.[1] ?? '',
    statements: shown
      .map((row) => text(row, 'Info').replaceAll(/[\u0000-\u001f]+/g, ' '))
      .filter((info) => !/^(?:BEGIN|COMMIT)$/i.test(info))
      .map((info) => info.slice(0, 2000)),
  }
}
