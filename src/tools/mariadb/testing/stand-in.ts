import type { SqlConnection, SqlRow, SqlStatement } from '../../../host/apply/steps.ts'
import { connectProblems } from '../../../host/connect/index.ts'
import { authenticationOf } from '../authentication.ts'

const { NotAnswering, SqlRefused } = connectProblems

/** A connection as the server lists it. */
export interface StandInProcess {
  readonly id: number
  readonly user: string
  command: string
  readonly time?: number
  readonly info?: string
  /** The connection whose lock it waits for. */
  readonly waitsFor?: number
}

/** A stand-in for the server: what the panel reads and sets through SQL. */
export interface StandInServer {
  /** The column `Priv` of the account root. */
  priv: string
  /** True while nothing listens on its socket. */
  isDown: boolean
  processes: StandInProcess[]
  /** Variables of the running server. */
  variables: Map<string, string>
  /** Options of other files than the panel's, by their names as the dry run prints them. */
  readonly overrides: Map<string, string>
  restarts: number
  /** The status variables, one reading after another; the last one stays. */
  counters: Readonly<Record<string, number>>[]
  databases: { readonly name: string; readonly size: number }[]
  /** The connections of the panel. */
  readonly own: Set<number>
  readonly connection: SqlConnection
}

/** Root as Debian's package creates it. */
export const asInstalled = JSON.stringify({
  plugin: 'mysql_native_password',
  authentication_string: 'invalid',
  auth_or: [{}, { plugin: 'unix_socket' }],
})

/** Opens a server with an account root. */
export function standInServer(priv = asInstalled): StandInServer {
  const own = new Set<number>()
  const server: StandInServer = {
    priv,
    isDown: false,
    processes: [],
    variables: new Map(),
    overrides: new Map(),
    restarts: 0,
    counters: [],
    databases: [],
    own,
    connection: {
      openIds: () => own,
      run: async (statement) => {
        if (server.isDown) throw NotAnswering('MariaDB cannot be reached: connect ENOENT')
        const text = statement.parts.join('?').replaceAll(/\s+/g, ' ')
        const [, answer] = answers.find(([start]) => text.startsWith(start)) ?? []
        if (answer === undefined) throw new Error(`not scripted: ${text}`)
        return answer(server, statement)
      },
    },
  }
  return server
}

type Answer = (server: StandInServer, statement: SqlStatement) => readonly SqlRow[]

const answers: readonly (readonly [start: string, Answer])[] = [
  ['select version() as version', () => [{ version: '10.11.14-MariaDB-0+deb12u2' }]],
  ['select Priv', ({ priv }) => [{ priv }]],
  ['select schema_name as name from information_schema.schemata where left(', () => []], // none is left of a drill
  [
    "alter user 'root'@'localhost'",
    (server, { values }) => {
      server.priv = privOf(values)
      return []
    },
  ],
  ['select id, user, host', ({ processes }) => processes.map(rowOf)],
  [
    'select distinct r.trx_mysql_thread_id',
    ({ processes }) =>
      processes.flatMap(({ id, waitsFor }) =>
        waitsFor === undefined ? [] : { waiting: id, blocking: waitsFor },
      ),
  ],
  ['kill connection', kill],
  [
    'select variable_name name, variable_value value from information_schema.global_status',
    (server) =>
      Object.entries((server.counters.length > 1 ? server.counters.shift() : server.counters[0]) ?? {}).map(
        ([name, value]) => ({ name, value: String(value) }),
      ),
  ],
  [
    'select variable_name as name, variable_value as value from information_schema.global_variables',
    ({ variables }, { values }) =>
      [...variables].flatMap(([name, value]) =>
        values.includes(name.toUpperCase()) ? { name: name.toUpperCase(), value } : [],
      ),
  ],
  ['select s.schema_name name', ({ databases }) => databases],
  [
    'set global',
    ({ variables }, { values: [name, value] }) => {
      if (typeof name === 'object' && name !== null) variables.set(name.identifier, String(value))
      return []
    },
  ],
]

const rowOf = ({ id, user, command, time = 0, info }: StandInProcess): SqlRow => ({
  id,
  user,
  host: 'localhost',
  db: null,
  command,
  time,
  state: '',
  info: info ?? null,
})

function kill(server: StandInServer, { values: [id] }: SqlStatement): readonly SqlRow[] {
  const rest = server.processes.filter((each) => each.id !== id)
  if (rest.length === server.processes.length) throw SqlRefused(`MariaDB: Unknown thread id: ${String(id)}`)
  server.processes = rest
  return []
}

/** The methods that a server shows of its account. */
export const methodsOf = ({ priv }: Pick<StandInServer, 'priv'>): readonly string[] =>
  authenticationOf(priv).map(({ plugin, secret }) => `${plugin} ${secret}`.trim())

function privOf(values: SqlStatement['values']): string {
  const methods = values.flatMap((value, index) =>
    typeof value === 'object' && value !== null
      ? [{ plugin: value.identifier, authentication_string: values[index + 1] }]
      : [],
  )
  return JSON.stringify({ auth_or: methods })
}
