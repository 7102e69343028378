import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import { identifier, sql, type SqlConnection } from '../../../host/apply/steps.ts'

/** The database of the panel for replication. With a colon, as no database of a website has one. */
export const heartbeatDatabase = 'hostreeve:replication'

const table = 'heartbeat'

/** The time at which the panel of a primary wrote last, which its replicas receive as any other change. */
export interface Heartbeat {
  readonly serverId: number
  /** Milliseconds since 1970, by the clock of the primary. */
  readonly at: number
}

interface HeartbeatTable {
  readonly exists: true
}

/** The step that makes the table of heartbeats on a primary, before its first replica loads a dump: all of them have it then. */
export function prepareHeartbeat(connection: SqlConnection): StepKind<null, Was<HeartbeatTable>, null> {
  return stateStep<null, HeartbeatTable>({
    name: 'mariadb.prepare-heartbeat',
    plan: () => ({
      title: 'Make the table by which replicas know how far they are behind',
      details: [`${heartbeatDatabase}: the panel writes the time there each second while a replica follows`],
    }),
    read: async () => ((await hasHeartbeatTable(connection)) ? { exists: true } : undefined),
    wanted: () => ({ exists: true }),
    write: async (_args, state) => {
      if (state !== undefined) return makeHeartbeatTable(connection)
      await connection.run(sql`drop database if exists ${identifier(heartbeatDatabase)}`)
    },
  })
}

/** Makes the table of heartbeats where there is none. On a primary alone: a replica receives it. */
export async function makeHeartbeatTable(connection: SqlConnection): Promise<void> {
  if (await hasHeartbeatTable(connection)) return
  await connection.run(
    sql`create database if not exists ${identifier(heartbeatDatabase)} character set utf8mb4`,
  )
  await connection.run(
    sql`create table if not exists ${identifier(heartbeatDatabase)}.${identifier(table)}
      (server_id int unsigned not null primary key, at_ms bigint unsigned not null) engine = InnoDB`,
  )
}

/** Returns whether this server has the table of heartbeats, its own or that of its primary. */
export async function hasHeartbeatTable(connection: SqlConnection): Promise<boolean> {
  const rows = await connection.run(
    sql`select table_name as name from information_schema.tables
      where table_schema = ${heartbeatDatabase} and table_name = ${table}`,
  )
  return rows.length > 0
}

/** Writes a heartbeat. Both values are literals, so that a replica writes the same, however the log is written. */
export async function writeHeartbeat(connection: SqlConnection, { serverId, at }: Heartbeat): Promise<void> {
  await connection.run(
    sql`replace into ${identifier(heartbeatDatabase)}.${identifier(table)} (server_id, at_ms) values (${serverId}, ${at})`,
  )
}

/** Reads when the last heartbeat of a primary that was applied here was written; undefined if there is none. */
export async function readHeartbeat(
  connection: SqlConnection,
  serverId: number,
): Promise<number | undefined> {
  if (!(await hasHeartbeatTable(connection))) return undefined
  const [row] = await connection.run(
    sql`select at_ms from ${identifier(heartbeatDatabase)}.${identifier(table)} where server_id = ${serverId}`,
  )
  return row && Number(row['at_ms'])
}
