import { createHash } from 'node:crypto'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { counters, groups, numbers, tables, variables } from './tables.ts'

type Row = Record<string, SQLInputValue>

/** The tables of the stand-in in memory, in the running program and on disk, and the statements on them. */
export class AdminTables {
  readonly database = new DatabaseSync(':memory:')
  readonly #startedAt = Date.now()

  constructor(folder: string) {
    this.database.exec(
      `ATTACH '${folder}/proxysql.db' AS disk; ATTACH ':memory:' AS stats; ATTACH ':memory:' AS monitor`,
    )
    for (const [name, columns] of Object.entries(counters))
      this.database.exec(`CREATE TABLE ${name} (${columns})`)
    for (const [name, columns] of Object.entries(tables))
      this.database.exec(`
        CREATE TABLE main.${name} (${columns}); CREATE TABLE main.runtime_${name} (${columns});
        CREATE TABLE IF NOT EXISTS disk.${name} (${columns}); INSERT INTO main.${name} SELECT * FROM disk.${name}`)
    const insert = this.database.prepare('INSERT OR IGNORE INTO main.global_variables VALUES (?, ?)')
    for (const [name, value] of Object.entries(variables)) insert.run(name, value)
    for (const group of Object.keys(groups)) this.load(group)
  }

  rows(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.database.prepare(sql).all(...values) as Row[]
  }

  variable(name: string): string {
    const [row] = this.rows(
      'SELECT variable_value AS value FROM runtime_global_variables WHERE variable_name = ?',
      name,
    )
    return String(row?.['value'] ?? '')
  }

  /** Loads memory into the running program. */
  load(group: string): void {
    const [table, like] = groups[group]!
    if (table === 'mysql_users') return this.#loadUsers()
    if (table === 'global_variables') this.#keepNumbers()
    const where = table === 'mysql_query_rules' ? 'WHERE active = 1' : ''
    this.#replace(
      `main.runtime_${table}`,
      `main.${table}`,
      table === 'global_variables' ? like : undefined,
      where,
    )
    if (table === 'mysql_query_rules') this.database.exec('DELETE FROM stats.stats_mysql_query_rules')
  }

  /** Saves memory to disk. Variables that are not in memory stay there. */
  save(group: string): void {
    const [table, like] = groups[group]!
    if (table === 'global_variables')
      this.database.exec(
        `INSERT OR REPLACE INTO disk.${table} SELECT * FROM main.${table} WHERE variable_name LIKE '${like}'`,
      )
    else this.#replace(`disk.${table}`, `main.${table}`)
  }

  #replace(to: string, from: string, like?: string, where = ''): void {
    const matching = like === undefined ? where : `WHERE variable_name LIKE '${like}'`
    this.database.exec(
      `DELETE FROM ${to} ${like === undefined ? '' : matching}; INSERT INTO ${to} SELECT * FROM ${from} ${matching}`,
    )
  }

  /** The running program has the hash of each password, and one row for clients and another for servers. */
  #loadUsers(): void {
    this.database.exec('DELETE FROM runtime_mysql_users')
    for (const user of this.rows('SELECT * FROM main.mysql_users WHERE active = 1'))
      for (const side of ['frontend', 'backend'] as const) {
        const row = {
          ...user,
          password: nativeHash(String(user['password'] ?? '')),
          frontend: 0,
          backend: 0,
          [side]: 1,
        }
        if (user[side]) this.#insert('runtime_mysql_users', row)
      }
  }

  #insert(table: string, row: Row): void {
    const names = Object.keys(row)
    const marks = names.map(() => '?')
    this.database.prepare(`INSERT INTO ${table} (${names}) VALUES (${marks})`).run(...Object.values(row))
  }

  #keepNumbers(): void {
    for (const name of numbers)
      this.database
        .prepare(
          `UPDATE main.global_variables SET variable_value = (SELECT variable_value FROM runtime_global_variables
           WHERE variable_name = ?1) WHERE variable_name = ?1 AND variable_value GLOB '*[^0-9]*'`,
        )
        .run(name)
  }

  /** Fills the counters that the program computes when they are read. */
  count(): void {
    this.database.exec('DELETE FROM stats.stats_mysql_global')
    const seconds = Math.floor((Date.now() - this.#startedAt) / 1000)
    const [{ sum = 0 } = {}] = this.rows('SELECT SUM(count_star) AS sum FROM stats.stats_mysql_query_digest')
    const insert = this.database.prepare('INSERT INTO stats.stats_mysql_global VALUES (?, ?)')
    insert.run('ProxySQL_Uptime', String(seconds))
    insert.run('Questions', String(sum ?? 0))
    for (const { hostgroup_id, hostname, port, status } of this.rows('SELECT * FROM runtime_mysql_servers')) {
      const [found] = this.rows(
        'SELECT 1 FROM stats.stats_mysql_connection_pool WHERE hostgroup = ? AND srv_host = ? AND srv_port = ?',
        ...[hostgroup_id!, hostname!, port!],
      )
      if (found === undefined)
        this.database
          .prepare('INSERT INTO stats.stats_mysql_connection_pool VALUES (?,?,?,?,0,0,0,0,0,0,0,0,0,0)')
          .run(hostgroup_id!, hostname!, port!, status!)
    }
    this.database.exec(`UPDATE stats.stats_mysql_connection_pool SET status = coalesce((SELECT status
      FROM runtime_mysql_servers WHERE hostgroup_id = hostgroup AND hostname = srv_host AND port = srv_port), 'OFFLINE_HARD')`)
    this.database.exec(
      "DELETE FROM stats.stats_mysql_connection_pool WHERE status = 'OFFLINE_HARD' AND ConnUsed + ConnFree = 0",
    )
  }
}

const sha1 = (content: string | Buffer): Buffer => createHash('sha1').update(content).digest()

/** The hash of a password as mysql_native_password has it; one that is a hash already stays. */
export const nativeHash = (password: string): string =>
  password === '' || password.startsWith('*')
    ? password
    : `*${sha1(sha1(password)).toString('hex').toUpperCase()}`

/** True if a client that answered a seed with this token knows the password of a hash. */
export function isKnown(seed: Buffer, token: Buffer | undefined, hash: string): boolean {
  const double = Buffer.from(hash.slice(1), 'hex')
  if (token?.length !== 20 || double.length !== 20) return false
  const mask = sha1(Buffer.concat([seed, double]))
  return sha1(Buffer.from(mask.map((byte, at) => byte ^ token[at]!))).equals(double)
}
