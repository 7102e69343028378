import { hashOf } from '../mariadb/index.ts'

/** A row of an admin table: all columns are text. Columns that have their default are absent. */
export type AdminRow = Readonly<Record<string, string>>

/** The rows of a table by their keys. */
export type AdminRows = Readonly<Record<string, AdminRow>>

/** Tables that ProxySQL loads and saves together, by the name that its statements have. */
export type GroupName = keyof typeof groups

interface Group {
  readonly table: string
  readonly statement: string
  readonly key: readonly string[]
  /** The defaults of columns, by the schema of ProxySQL 2.5. */
  readonly defaults: AdminRow
  /** The beginning of the keys of the group, where the table holds those of several. */
  readonly prefix?: string
  /** Returns the row as the running ProxySQL has it; undefined if it leaves it out. */
  readonly running: (row: AdminRow) => AdminRow | undefined
}

const variables = (name: 'mysql' | 'admin'): Group => ({
  table: 'global_variables',
  statement: `${name.toUpperCase()} VARIABLES`,
  key: ['variable_name'],
  defaults: {},
  prefix: `${name}-`,
  running: (row) => row,
})

const without = (row: AdminRow, ...columns: readonly string[]): AdminRow =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)))

/** The groups that the panel changes. */
export const groups = {
  servers: {
    table: 'mysql_servers',
    statement: 'MYSQL SERVERS',
    key: ['hostgroup_id', 'hostname', 'port'],
    defaults: {
      gtid_port: '0',
      status: 'ONLINE',
      weight: '1',
      compression: '0',
      max_connections: '1000',
      max_replication_lag: '0',
      use_ssl: '0',
      max_latency_ms: '0',
      comment: '',
    },
    // ProxySQL itself shuns a server that does not answer, and keeps one that is leaving until its connections end
    running: (row) =>
      row['status'] === 'OFFLINE_HARD'
        ? undefined
        : row['status'] === 'SHUNNED'
          ? without(row, 'status')
          : row,
  },
  users: {
    table: 'mysql_users',
    statement: 'MYSQL USERS',
    key: ['username', 'backend'],
    defaults: {
      active: '1',
      use_ssl: '0',
      default_hostgroup: '0',
      schema_locked: '0',
      transaction_persistent: '1',
      fast_forward: '0',
      frontend: '1',
      max_connections: '10000',
      attributes: '',
      comment: '',
    },
    // the running ProxySQL has the hash of the password, and one row for clients and another for servers
    running: (row) =>
      row['active'] === '0' || row['frontend'] === '0'
        ? undefined
        : { ...row, backend: '1', ...(row['password'] && { password: hashed(row['password']) }) },
  },
  rules: {
    table: 'mysql_query_rules',
    statement: 'MYSQL QUERY RULES',
    key: ['rule_id'],
    defaults: {
      flagIN: '0',
      negate_match_pattern: '0',
      re_modifiers: 'CASELESS',
      apply: '0',
      attributes: '',
    },
    running: (row) => (row['active'] === '1' ? row : undefined),
  },
  mysqlVariables: variables('mysql'),
  adminVariables: variables('admin'),
} as const satisfies Readonly<Record<string, Group>>

const hashed = (password: string): string => (/^\*[0-9A-F]{40}$/.test(password) ? password : hashOf(password))

/** Returns a group by its name. */
export const groupOf = (name: GroupName): Group => groups[name]

/** Returns the key of a row. */
export const keyOf = ({ key, defaults }: Group, row: AdminRow): string =>
  key.map((column) => row[column] ?? defaults[column] ?? (column === 'backend' ? '1' : '')).join(' ')

/** Returns a row without the columns that have their default. */
export function canonical(
  { key, defaults }: Group,
  row: Readonly<Record<string, string | number | null>>,
): AdminRow {
  const entries = Object.entries(row).flatMap(([column, value]) =>
    value === null || (!key.includes(column) && defaults[column] === String(value))
      ? []
      : [[column, String(value)] as const],
  )
  return Object.fromEntries(entries)
}
