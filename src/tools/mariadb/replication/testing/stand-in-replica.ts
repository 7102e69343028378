import type { SqlConnection } from '../../../../host/apply/steps.ts'
import { connectProblems } from '../../../../host/connect/index.ts'

/** A stand-in for a server that may follow another: what the steps of replication read and set. */
export interface StandInReplica {
  primary: { readonly host: string; readonly port: number; readonly user: string } | null
  isStarted: boolean
  /** The number of the change that it applies next. */
  place: number
  skips: number
  /** True if it has the table of heartbeats. */
  hasHeartbeats: boolean
  /** Hashes of the accounts of replicas. */
  readonly accounts: Map<string, string>
}

/** A server that follows nobody, or one that has stopped at a change. */
export const standInReplica = (
  primary: StandInReplica['primary'] = null,
  isStarted = false,
): StandInReplica => ({ primary, isStarted, place: 1, skips: 0, hasHeartbeats: false, accounts: new Map() })

/** Connects to the stand-in. */
export const connectionTo = (server: StandInReplica): SqlConnection => ({
  run: async ({ parts, values }) => {
    const text = parts.join('?').replaceAll(/\s+/g, ' ')
    const [first, second, third] = values.map(String)
    if (text === 'show slave status') return server.primary === null ? [] : [rowOf(server, server.primary)]
    if (text === 'stop slave') server.isStarted = false
    else if (text === 'start slave') {
      if (server.primary === null) throw connectProblems.SqlRefused('MariaDB: no master is configured')
      server.isStarted = true
      server.place += server.skips
      server.skips = 0
    } else if (text === 'reset slave all') server.primary = null
    else if (text.startsWith('change master to'))
      server.primary = { host: first ?? '', port: Number(second), user: third ?? '' }
    else if (text.startsWith('set global sql_slave_skip_counter')) server.skips = 1
    else if (text.startsWith('select authentication_string')) {
      const hash = server.accounts.get(first ?? '')
      return hash === undefined ? [] : [{ hash }]
    } else if (text.startsWith('create or replace user')) server.accounts.set(first ?? '', third ?? '')
    else if (text.startsWith('drop user')) server.accounts.delete(first ?? '')
    else if (text.startsWith('select table_name as name'))
      return server.hasHeartbeats ? [{ name: 'heartbeat' }] : []
    else if (text.startsWith('create table if not exists')) server.hasHeartbeats = true
    else if (text.startsWith('drop database if exists')) server.hasHeartbeats = false
    else if (!/^(?:grant replication slave|kill user|create database if not exists)/.test(text))
      throw new Error(`not scripted: ${text}`)
    return []
  },
})

const rowOf = (
  { isStarted, place }: StandInReplica,
  { host, port, user }: NonNullable<StandInReplica['primary']>,
) => ({
  Master_Host: host,
  Master_Port: port,
  Master_User: user,
  Slave_IO_Running: isStarted ? 'Yes' : 'No',
  Slave_SQL_Running: isStarted ? 'Yes' : 'No',
  Relay_Log_File: 'relay.1',
  Relay_Log_Pos: place,
})
