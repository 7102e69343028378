import { rmSync } from 'node:fs'
import type { Connection } from 'mysql2'
import { AdminTables, nativeHash } from './admin-tables.ts'
import { type Answering, writeRows } from './answering.ts'
import { openForwarding } from './forwarding.ts'
import { closeServers, listen, type Served, type Server } from './protocol.ts'
import { groups } from './tables.ts'

interface StandInOptions {
  /** Where `proxysql.db` is kept. */
  readonly folder: string
  /** The socket of the admin interface. Default: what `admin-mysql_ifaces` names. */
  readonly adminSocket?: string
  /** The port of clients. Default: none. */
  readonly proxyPort?: number
}

/** A stand-in for ProxySQL that speaks its admin protocol and forwards statements by rules and hostgroups. */
export interface StandIn {
  readonly tables: AdminTables
  stop(): Promise<void>
}

/** Starts a stand-in with the disk of its folder. */
export async function startStandIn({ folder, adminSocket, proxyPort }: StandInOptions): Promise<StandIn> {
  const tables = new AdminTables(folder)
  const admin: Served = {
    version: () => tables.variable('mysql-server_version'),
    hashOf: (user, address) => adminHash(tables, user, address),
    answer: (connection, sql) => answerAdmin(tables, connection, sql, relisten),
  }
  const servers = new Map<string, Server>()
  const relisten = async () => {
    const wanted =
      adminSocket === undefined ? tables.variable('admin-mysql_ifaces').split(';') : [adminSocket]
    for (const [at, server] of servers)
      if (!wanted.includes(at)) {
        servers.delete(at)
        await closeServers([server])
      }
    for (const at of wanted) if (!servers.has(at)) servers.set(at, await listen(at, admin))
  }
  await relisten()
  const forwarding = openForwarding(tables)
  const client: Served = {
    version: admin.version,
    hashOf: (user) => userHash(tables, user),
    answer: (connection, sql, user) => forwarding.forward(connection, sql, user),
  }
  const clients = proxyPort === undefined ? [] : [await listen(`0.0.0.0:${proxyPort}`, client)]
  return {
    tables,
    stop: async () => {
      await forwarding.close()
      await closeServers([...servers.values(), ...clients])
      tables.database.close()
      if (adminSocket !== undefined) rmSync(adminSocket, { force: true })
    },
  }
}

/** `admin` may connect from this host only; other accounts from anywhere. */
function adminHash(tables: AdminTables, user: string, address: string): string | undefined {
  const isLocal = address === '' || address.endsWith('127.0.0.1') || address === '::1'
  if (user === 'admin' && !isLocal) return undefined
  const accounts = tables.variable('admin-admin_credentials').split(';')
  const found = accounts.map((each) => each.split(':')).find(([name]) => name === user)
  return found && nativeHash(found[1] ?? '')
}

function userHash(tables: AdminTables, user: string): string | undefined {
  const [row] = tables.rows(
    'SELECT password FROM runtime_mysql_users WHERE username = ? AND frontend = 1',
    user,
  )
  return row && String(row['password'])
}

const layers = new RegExp(`^(LOAD|SAVE) (${Object.keys(groups).join('|')}) TO (RUNTIME|DISK)$`)

/** Counters that are reset when they are read under another name. */
const resets: readonly (readonly [string, string])[] = [
  ['stats_mysql_query_digest_reset', 'DELETE FROM stats.stats_mysql_query_digest'],
  [
    'stats_mysql_connection_pool_reset',
    'UPDATE stats.stats_mysql_connection_pool SET ConnOK = 0, ConnERR = 0, Queries = 0',
  ],
]

function answerAdmin(
  tables: AdminTables,
  connection: Connection,
  sql: string,
  relisten: () => Promise<void>,
): void {
  const answer = connection as unknown as Answering
  const [, verb, group] = layers.exec(sql) ?? []
  try {
    if (verb !== undefined && group !== undefined) {
      if (verb === 'LOAD') tables.load(group)
      else tables.save(group)
      answer.writeOk({ affectedRows: 0 })
      if (group === 'ADMIN VARIABLES') void relisten()
      return
    }
    if (sql.includes('stats_mysql')) tables.count()
    const reset = resets.find(([name]) => sql.includes(name))
    const statement = tables.database.prepare(reset ? sql.replace('_reset', '') : sql)
    const names = statement.columns().map(({ name }) => name)
    if (names.length === 0) return answer.writeOk({ affectedRows: Number(statement.run().changes) })
    writeRows(answer, statement.all() as Record<string, unknown>[], names)
    if (reset) tables.database.exec(reset[1])
  } catch (error) {
    answer.writeError({ code: 1045, message: `ProxySQL Admin Error: ${(error as Error).message}` })
  }
}
