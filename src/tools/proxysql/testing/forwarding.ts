import { createPool, type Connection, type Pool } from 'mysql2'
import type { AdminTables } from './admin-tables.ts'
import { type Answering, writeRows } from './answering.ts'

/** Forwards statements of clients to the servers of hostgroups. */
export interface Forwarding {
  forward(connection: Connection, sql: string, user: string): Promise<void>
  close(): Promise<void>
}

type Row = Readonly<Record<string, unknown>>

/** Opens the forwarding by the running tables. */
export function openForwarding(tables: AdminTables): Forwarding {
  const pools = new Map<string, Pool>()
  return {
    forward: async (connection, sql, user) => {
      const answer = connection as unknown as Answering
      const [account] = tables.rows('SELECT * FROM main.mysql_users WHERE username = ?', user)
      const hostgroup = routeOf(tables, sql, Number(account?.['default_hostgroup'] ?? 0))
      const server = serverIn(tables, hostgroup)
      if (server === undefined)
        return answer.writeError({
          code: 9001,
          message: `Max connect timeout reached while reaching hostgroup ${hostgroup} after 10000ms`,
        })
      const { hostname, port } = server
      const key = `${hostname}:${port}:${user}`
      const pool = pools.get(key) ?? poolTo(server, user, String(account?.['password']))
      pools.set(key, pool)
      await send(pool, sql, answer)
        .then(() => count(tables, { hostgroup, hostname, port, user, sql }, 'ConnOK'))
        .catch((error: { errno?: number; message: string; code?: string }) => {
          if (error.code === 'ECONNREFUSED') shun(tables, server, error.message)
          count(tables, { hostgroup, hostname, port, user, sql }, 'ConnERR')
          answer.writeError({
            code: error.errno && error.errno > 0 ? error.errno : 9001,
            message: error.message,
          })
        })
    },
    close: async () => {
      for (const pool of pools.values()) await pool.promise().end()
    },
  }
}

const poolTo = ({ hostname, port }: Row, user: string, password: string): Pool =>
  createPool({ host: String(hostname), port: Number(port), user, password, connectionLimit: 4 })

async function send(pool: Pool, sql: string, answer: Answering): Promise<void> {
  const [result, fields] = await pool.promise().query(sql)
  if (Array.isArray(result) && fields)
    return writeRows(
      answer,
      result as Row[],
      fields.map(({ name }) => name),
    )
  const { affectedRows = 0 } = result as { affectedRows?: number }
  answer.writeOk({ affectedRows })
}

/** The first rule that matches and applies decides. */
function routeOf(tables: AdminTables, sql: string, byDefault: number): number {
  let hostgroup = byDefault
  for (const rule of tables.rows('SELECT * FROM runtime_mysql_query_rules ORDER BY rule_id')) {
    const pattern = String(rule['match_digest'] ?? rule['match_pattern'] ?? '')
    if (!new RegExp(pattern, 'is').test(sql)) continue
    tables.database
      .prepare(
        'INSERT INTO stats.stats_mysql_query_rules VALUES (?, 1) ON CONFLICT (rule_id) DO UPDATE SET hits = hits + 1',
      )
      .run(rule['rule_id']!)
    if (rule['destination_hostgroup'] !== null) hostgroup = Number(rule['destination_hostgroup'])
    if (rule['apply']) return hostgroup
  }
  return hostgroup
}

const serverIn = (tables: AdminTables, hostgroup: number): Row | undefined =>
  tables.rows(
    "SELECT * FROM runtime_mysql_servers WHERE hostgroup_id = ? AND status = 'ONLINE' ORDER BY weight DESC LIMIT 1",
    hostgroup,
  )[0]

/** A server that does not answer is left out. */
function shun(tables: AdminTables, { hostname, port }: Row, reason: string): void {
  const at = [String(hostname), Number(port)] as const
  tables.database
    .prepare("UPDATE runtime_mysql_servers SET status = 'SHUNNED' WHERE hostname = ? AND port = ?")
    .run(...at)
  tables.database
    .prepare('INSERT INTO monitor.mysql_server_ping_log VALUES (?, ?, ?, ?)')
    .run(...at, Date.now() * 1000, reason)
}

interface Sent {
  readonly hostgroup: number
  readonly hostname: unknown
  readonly port: unknown
  readonly user: string
  readonly sql: string
}

function count(tables: AdminTables, sent: Sent, outcome: 'ConnOK' | 'ConnERR'): void {
  tables.count()
  tables.database
    .prepare(
      `UPDATE stats.stats_mysql_connection_pool SET Queries = Queries + 1, ${outcome} = ${outcome} + 1
       WHERE hostgroup = ? AND srv_host = ? AND srv_port = ?`,
    )
    .run(sent.hostgroup, String(sent.hostname), Number(sent.port))
  const digest = sent.sql.replaceAll(/'[^']*'|\b\d+\b/g, '?')
  tables.database
    .prepare(
      `INSERT INTO stats.stats_mysql_query_digest VALUES (?, '', ?, ?, 1, 100)
       ON CONFLICT DO UPDATE SET count_star = count_star + 1, sum_time = sum_time + 100`,
    )
    .run(sent.hostgroup, sent.user, digest)
}
