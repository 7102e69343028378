import type { Connection } from 'mysql2'
import { Problem } from '../../core/problem.ts'
import type { SqlConnection, SqlRow, SqlStatement } from '../apply/steps.ts'
import { NotAnswering, ReplyTooLarge, SqlRefused } from './problems.ts'
import { sqliteLiteral } from './sqlite-literal.ts'

/** A MariaDB or MySQL server of this host. */
export interface SqlTarget {
  /** The name for people, in failures. */
  readonly name: string
  readonly at: { readonly socketPath: string } | { readonly port: number }
  readonly user: string
  /** Read for each connection, and never logged; absent where the server knows the caller by the socket. */
  readonly password?: () => Promise<string> | string
  /** Of a statement, with its connection. Default 30 s. */
  readonly timeoutMs?: number
  /** Of the rows of a result. Default 10,000. */
  readonly maxRows?: number
  /** Of the values of a result, as characters. Default 16 MiB. */
  readonly maxBytes?: number
  /** How values are quoted. `sqlite` for a program that speaks the protocol, but reads statements as SQLite does. Default: mysql. */
  readonly dialect?: 'mysql' | 'sqlite'
}

interface Target extends SqlTarget {
  /** The character set of the text of statements, by its name in MySQL. */
  readonly charset?: string
  /** Of the connections that are open now. */
  readonly ids?: Set<number>
}

/** The client is loaded with the first statement: a panel without such a server never needs its memory. */
const loadClient = () => import('mysql2')
type Client = Awaited<ReturnType<typeof loadClient>>

/** Connects to a MariaDB or MySQL server. Each statement has a connection of its own, and there is one statement in each. */
export function connectSql(target: SqlTarget): SqlConnection {
  const ids = new Set<number>()
  return { run: (statement) => run({ ...target, ids }, statement), openIds: () => ids }
}

/** Runs statements one after the other in one session, which sends their text in a character set; returns the rows of the last. */
export type SqlSession = (charset: string, statements: readonly SqlStatement[]) => Promise<readonly SqlRow[]>

/** Opens sessions at a server, for statements that depend on the settings made before them. */
export const sessionAt =
  (target: SqlTarget): SqlSession =>
  (charset, statements) =>
    runAll({ ...target, charset }, statements)

const run = (target: Target, statement: SqlStatement): Promise<readonly SqlRow[]> =>
  runAll(target, [statement])

async function runAll(target: Target, statements: readonly SqlStatement[]): Promise<readonly SqlRow[]> {
  const { name, timeoutMs = 30_000 } = target
  const client = await loadClient()
  const connection = await open(client, target, timeoutMs)
  const id = connection.threadId ?? 0
  target.ids?.add(id)
  const limit = Promise.withResolvers<never>()
  connection.on('error', limit.reject) // a statement under way is not told of a connection that breaks
  const timer = setTimeout(
    () => limit.reject(NotAnswering(`${name} did not complete a statement within ${timeoutMs} ms`)),
    timeoutMs,
  )
  try {
    // the text is made for these modes: with others, quotes and backslashes would have another meaning
    if (target.dialect !== 'sqlite')
      await Promise.race([
        limit.promise,
        rowsOf(connection, "set session sql_mode = 'STRICT_TRANS_TABLES'", target),
      ])
    let rows: readonly SqlRow[] = []
    for (const statement of statements)
      rows = await Promise.race([
        limit.promise,
        rowsOf(connection, textOf(client, statement, target), target),
      ])
    return rows
  } catch (error) {
    if (error instanceof Problem) throw error
    throw SqlRefused(`${name}: ${withoutValues(client, messageOf(error), statements)}`)
  } finally {
    clearTimeout(timer)
    target.ids?.delete(id)
    connection.destroy()
  }
}

async function open(
  { createConnection }: Client,
  target: Target,
  connectTimeout: number,
): Promise<Connection> {
  const { name, at, user, charset = 'utf8mb4' } = target
  const password = await target.password?.()
  const connection = createConnection({
    ...('port' in at ? { host: '127.0.0.1', port: at.port } : { socketPath: at.socketPath }),
    ...(password !== undefined && { password }),
    user,
    connectTimeout,
    charset,
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
    disableEval: true, // rows are parsed without generated code
    flags: ['-LOCAL_FILES'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  connection.on('error', reject)
  connection.connect((error) => (error === null ? resolve() : reject(error)))
  try {
    await promise
    return connection
  } catch (error) {
    connection.destroy()
    throw NotAnswering(`${name} cannot be reached: ${messageOf(error)}`)
  }
}

function rowsOf(
  connection: Connection,
  sql: string,
  { name, maxRows = 10_000, maxBytes = 16 * 1024 * 1024 }: SqlTarget,
): Promise<readonly SqlRow[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly SqlRow[]>()
  const rows: SqlRow[] = []
  let size = 0
  let hasColumns = false
  connection
    .query(sql)
    .on('error', reject)
    .on('fields', (columns: unknown) => (hasColumns = Array.isArray(columns)))
    .on('result', (row) => {
      if (!hasColumns) return // the count of what was changed
      const parsed = Object.fromEntries(
        Object.entries(row).map(([column, value]) => [column, scalarOf(value)]),
      )
      size += Object.values(parsed).reduce<number>((sum, value) => sum + String(value).length, 0)
      rows.push(parsed)
      if (rows.length > maxRows || size > maxBytes)
        reject(ReplyTooLarge(`${name} sent more than ${maxRows} rows or ${maxBytes} characters`))
    })
    .on('end', () => resolve(rows))
  return promise
}

function scalarOf(value: unknown): string | number | null {
  if (value === null || typeof value === 'number') return value
  return Buffer.isBuffer(value) ? value.toString('utf8') : String(value)
}

/** Writes values as literals: a server takes no placeholders in statements on databases and accounts. */
function textOf(
  { escape, escapeId }: Client,
  { parts, values }: SqlStatement,
  { dialect }: SqlTarget,
): string {
  return parts.reduce((left, right, at) => {
    const value = values[at - 1] ?? null
    if (dialect === 'sqlite') return `${left}${sqliteLiteral(value)}${right}`
    const text =
      typeof value === 'object' && value !== null ? escapeId(value.identifier, true) : escape(value)
    return `${left}${text}${right}`
  })
}

/** A server quotes the statement in its message, and with it what may be a secret. */
function withoutValues({ escape }: Client, message: string, statements: readonly SqlStatement[]): string {
  const values = statements.flatMap((statement) => statement.values)
  const texts = values.filter((value) => typeof value === 'string' && value !== '')
  return texts.reduce<string>(
    (text, value) => text.replaceAll(String(value), '…').replaceAll(escape(String(value)).slice(1, -1), '…'),
    message,
  )
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 2000)
}
