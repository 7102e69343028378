import { DiskFailed, DiskFull, type Problem, StoreFailed } from '../../core/problem.ts'
import { messageOf } from '../disk-failures.ts'

/** Another panel has the database. */
export class DatabaseInUse extends Error {
  constructor() {
    super(
      'Another panel runs on the database of HOSTREEVE_DATABASE_URL: stop it first, or set another database. If it has just ended with its host, start again in a few minutes',
    )
    this.name = 'DatabaseInUse'
  }
}

/** The panel cannot start with its database. The address is not quoted, as it may contain a password. */
export class DatabaseUnusable extends Error {
  constructor(cause: unknown) {
    super(`The database of HOSTREEVE_DATABASE_URL cannot be used: ${messageOf(cause)}`, { cause })
    this.name = 'DatabaseUnusable'
  }
}

/** The database is not as this panel has left it when it had lost its connection. */
export class DatabaseOvertaken extends Error {
  constructor() {
    super(
      'Another panel has used the database meanwhile, or a failover has lost commits: the next start of the panel goes on from what is stored',
    )
    this.name = 'DatabaseOvertaken'
  }
}

/** What the server says of a query that it refuses; empty for other errors. */
interface ServerAnswer {
  readonly severity?: string
  readonly code?: string
  readonly table?: string
  readonly detail?: string
  readonly constraint?: string
}

const answerOf = (error: unknown): ServerAnswer => Object.assign({}, error)

// SQLSTATE (postgresql.org/docs/15/errcodes-appendix.html): the class of lost connections, a server or session that ends, and
// a server that has become read-only, as a former primary does. A prepared statement that is gone (26000) has had no effect, and is
// prepared again on the next connection alone
const lostCodes = /^(?:08|26000|57P0[1-5]|25P03|25P04|25006)/

/** True if the error is not the server's answer to a query, or is its last one. */
export function isLost(error: unknown): boolean {
  const { code, severity } = answerOf(error)
  if (severity === undefined) return isOfConnection(error)
  return severity === 'FATAL' || severity === 'PANIC' || lostCodes.test(code ?? '')
}

/**
 * True if the answer to a commit is missing. It has no values that could not be sent: an error that the server did not give is one
 * of the connection, also where the driver has no name for it.
 */
export const isUnanswered = (error: unknown): boolean => isLost(error) || !isAnswered(error)

/** The driver has no codes for its own errors of a connection; those of a socket have that of the system. */
const ofDriver =
  /^(?:Connection terminated|timeout expired|Client (?:was closed|has encountered)|Received unexpected)/

/** True for an error of the socket, of TLS or of the driver's connection; a bug in what a query is made of is none. */
const isOfConnection = (error: unknown): boolean =>
  error instanceof Error &&
  (error instanceof AggregateError || 'syscall' in error || isOfSocket(error) || ofDriver.test(error.message))

const isOfSocket = (error: Error): boolean =>
  /^(?:E[A-Z]+|ERR_(?:SSL|STREAM|SOCKET|TLS).*)$/.test(answerOf(error).code ?? '')

/** The server is a replica, or read-only: another one may take its place. */
export class ServerTakesNoWrites extends Error {
  constructor() {
    super('the server takes no writes: it is a replica, or read-only')
    this.name = 'ServerTakesNoWrites'
  }
}

/** What the driver says of a server that cannot start a process for the connection. */
const noAnswerToTls = 'There was an error establishing an SSL connection'
/** A clock that is not set yet; limits of the role, which a server that recovers exceeds. */
const passing = /^(?:CERT_NOT_YET_VALID|57014|55P03)$/

/** Refusals of a login that remain: of its name or password, of the database, of a right, or of what the driver asks for. */
const lastingRefusals = /^(?:0A|22|28|3D|42)/

/**
 * True if a start that met the error may succeed later: the server cannot be reached, starts, has no room, or takes no writes yet.
 * False for what has to be corrected first, as a missing password or right, a certificate, or a file of the address.
 */
export function isWorthWaiting(error: unknown): boolean {
  if (error instanceof ServerTakesNoWrites) return true
  const { code = '', severity } = answerOf(error)
  if (passing.test(code) || messageOf(error) === noAnswerToTls) return true
  if (severity !== undefined) return code.startsWith('53') || (isLost(error) && !lastingRefusals.test(code))
  return isOfConnection(error) && !isOfTls(code) && !isOfFile(error)
}

const isOfTls = (code: string): boolean => /^ERR_(?:SSL|TLS)/.test(code)

/** A certificate that cannot be read; a socket that is not there yet is not opened but connected to. */
const isOfFile = (error: unknown): boolean => {
  const { syscall, code }: { readonly syscall?: string; readonly code?: string } = Object.assign({}, error)
  return syscall === 'open' || code === 'EISDIR'
}

/**
 * The problem of a query that the server refused. One that it may accept later is a problem of the disk, as on SQLite: what has
 * ended is stored once that is over.
 */
export function queryProblem(error: unknown): Problem {
  const { code = '' } = answerOf(error)
  if (code === '53100') return DiskFull('no room is left on the disk of the database', { cause: error })
  if (code.startsWith('53') || code.startsWith('58'))
    return DiskFailed(`the database cannot be written: ${messageOf(error)}`, { cause: error })
  return StoreFailed(undefined, { cause: asInSqlite(error) })
}

/** Names a broken constraint in the words of SQLite, which callers know. */
function asInSqlite(error: unknown): unknown {
  const { code, table, detail = '', constraint } = answerOf(error)
  if (code === '23503') return new Error('FOREIGN KEY constraint failed', { cause: error })
  if (code !== '23505') return error
  // the detail is in the language of the server, its first parentheses contain the columns; it is missing where a row may not be read
  const [, columns = constraint] = /\((.*?)\)=/.exec(detail) ?? []
  if (columns === undefined) return error
  const named = columns.split(', ').map((column) => `${table}.${column}`)
  return new Error(`UNIQUE constraint failed: ${named.join(', ')}`, { cause: error })
}

/** Nothing of the query or transaction has had an effect, and the connection did not come back in time. */
export const unreachable = (cause: unknown): Problem =>
  DiskFailed(`the database of the panel cannot be reached: ${messageOf(cause)}`, { cause })

/** True if the error is an answer of the server. */
export const isAnswered = (error: unknown): boolean => answerOf(error).severity !== undefined

/**
 * True if a refused connection leaves it possible that the server works on a query of another one, also where it has no process to
 * refuse with; a pool that cannot reach its server, and a server that starts, work on none.
 */
export const mayBeWorking = (error: unknown): boolean =>
  messageOf(error) === noAnswerToTls ||
  (isAnswered(error) &&
    (!/^(?:08|57P03)/.test(answerOf(error).code ?? '') || isPoolFull.test(messageOf(error))))

/** PgBouncer refuses so what exceeds its limits, with the code of a server that it cannot reach. */
const isPoolFull = /no more connections allowed|client connections exceeded/

/** How often work is repeated that lost connections broke off. */
export const mostAttempts = 5
