import type { SqlConnection, SqlRow } from '../../../../host/apply/steps.ts'
import { standInServer, type StandInServer } from '../../testing/stand-in.ts'
import { connectionTo, type StandInReplica, standInReplica } from './stand-in-replica.ts'

/** A stand-in for a server that takes part in a replication, as its panel sees it. */
export interface StandInMember {
  readonly server: StandInServer
  readonly replica: StandInReplica
  /** The accounts of replicas that receive changes now. */
  followers: readonly string[]
  /** Of the last heartbeat that it has applied; undefined for none. */
  lagMs: number | undefined
  /** The error at its first change, which is gone with that. */
  failure: { readonly number: number; readonly message: string; readonly statement: string } | undefined
  /** The heartbeats that were written here. */
  beats: number
  readonly connection: SqlConnection
}

/** Opens a server that follows nobody, or one that follows a primary. */
export function standInMember(primary: StandInReplica['primary'] = null): StandInMember {
  const member: StandInMember = {
    server: standInServer(),
    replica: standInReplica(primary, primary !== null),
    followers: [],
    lagMs: undefined,
    failure: undefined,
    beats: 0,
    connection: {
      openIds: () => member.server.own,
      run: async (statement) => {
        const text = statement.parts.join('?').replaceAll(/\s+/g, ' ')
        const [, answer] = answers.find(([pattern]) => pattern.test(text)) ?? []
        if (answer !== undefined) return answer(member)
        if (ofReplica.test(text)) {
          const rows = await connectionTo(member.replica).run(statement)
          return text === 'show slave status' ? rows.map((row) => withFailure(member, row)) : rows
        }
        return member.server.connection.run(statement)
      },
    },
  }
  return member
}

const ofReplica =
  /^(?:show slave status|(?:stop|start|reset) slave|change master|set global sql_slave_skip_counter|select authentication_string|create or replace user|grant replication slave|drop (?:user|database) if exists|kill user|create (?:database|table) if not exists)/

const answers: readonly (readonly [RegExp, (member: StandInMember) => readonly SqlRow[]])[] = [
  [
    /^select @@server_id id/,
    ({ server }) => [
      { id: 21, has_log: server.variables.get('log_bin') === 'ON' ? 1 : 0, current: '0-21-7', logged: '' },
    ],
  ],
  [/^show master status/, () => [{ File: 'hostreeve-bin.000001', Position: 400 }]],
  [
    /command like 'Binlog Dump%'/,
    ({ followers }) =>
      followers.map((user) => ({
        ...{ user, host: '192.0.2.12:41000', time: 5 },
        state: 'Master has sent all binlog to slave; waiting for more updates',
      })),
  ],
  [
    /^select table_name as name from information_schema\.tables/,
    ({ lagMs, replica }) => (lagMs === undefined && !replica.hasHeartbeats ? [] : [{ name: 'heartbeat' }]),
  ],
  [
    /^replace into \?\.\? \(server_id, at_ms\)/,
    (member) => {
      member.beats += 1
      return []
    },
  ],
  [/^select at_ms from/, ({ lagMs = 0 }) => [{ at_ms: Date.now() - lagMs }]],
  [
    /^show relaylog events/,
    ({ failure }) => [
      { Event_type: 'Gtid', Info: 'BEGIN GTID 0-11-5' },
      { Event_type: 'Query', Info: failure?.statement ?? '' },
    ],
  ],
  // what the start of the panel looks for
  [/^select User as account from mysql\.user/, () => []],
  [/^select schema_name as name from information_schema\.schemata where left/, () => []],
]

function withFailure({ replica, failure }: StandInMember, row: SqlRow): SqlRow {
  const known = { ...row, Master_Server_Id: 11, Gtid_IO_Pos: '0-11-9', Seconds_Behind_Master: 0 }
  if (failure === undefined || replica.place !== 1) return known
  return {
    ...known,
    ...{ Slave_SQL_Running: 'No', Seconds_Behind_Master: null },
    ...{ Last_SQL_Errno: failure.number, Last_SQL_Error: failure.message },
  }
}
