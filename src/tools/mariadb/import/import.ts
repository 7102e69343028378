import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Owner } from '../../../host/owner/index.ts'
import type { RunResult } from '../../../host/run.ts'
import { sql } from '../../../host/apply/steps.ts'
import { createImportAccount, dropImportAccount, importAccount, type ImportAccounts } from './account.ts'
import { type Definer, type Redefining, redefine } from './definers.ts'
import { StatementFilter } from '../../sql-import/filter.ts'
import { ImportFailed, NotSql } from '../../sql-import/problems.ts'
import { closeSource, openSource } from '../../sql-import/source.ts'
import { checkedStart } from './content.ts'
import { dialectOf } from './dialect.ts'

/** What imports are made with. */
export interface Importing extends Redefining, ImportAccounts {
  readonly socketPath: string
}

/** An import of a file in the home of the owner of the database. */
export interface ImportOrder {
  readonly owner: Owner
  readonly database: string
  /** Relative to the home. */
  readonly path: string
  /** The account of the site, which is given what the import makes; without one, it ends with the account of the import. */
  readonly definer?: Definer
  /** Runs once, before the first statement. */
  readonly onBegin?: () => Promise<unknown>
}

interface Limits {
  readonly signal: AbortSignal
  /** Receives how far it is: bytes of SQL, of all if that is known, and statements. */
  readonly onProgress: (bytes: number, ofBytes: number | undefined, statements: number) => void
}

const limitMs = 12 * 3_600_000
const optionFile = '/run/hostreeve-client.cnf'

/**
 * Imports a file into a database, by a client in the home of its owner under an account that has rights on
 * this database alone. Returns the number of statements; a failure names the statement and how many ran.
 */
export async function importFile(on: Importing, order: ImportOrder, limits: Limits): Promise<number> {
  const { owner, database, path, definer } = order
  const file = { owner, path, scratch: scratchOf(database), checkedStart }
  on.active.add(database)
  const filter = new StatementFilter(dialectOf(database))
  try {
    const { text, sizeBytes } = await openSource(file, limits.signal)
    const source = { text: text[Symbol.asyncIterator](), sizeBytes }
    const begin = await beginning(source.text, filter)
    await order.onBegin?.()
    await trustRoutines(on)
    const password = randomBytes(18).toString('base64url')
    await createImportAccount(on, database, password)
    await pour(on, order, { ...limits, source, filter, begin, password })
    if (definer !== undefined) await redefine(on, database, definer)
    return filter.count
  } finally {
    await clearImport(on, order).finally(() => on.active.delete(database))
  }
}

/** Returns the first bytes for the client; throws if they cannot be a dump of this database. */
async function beginning(text: AsyncIterator<Buffer>, filter: StatementFilter): Promise<Buffer> {
  const parts: Buffer[] = []
  while (filter.count === 0 && filter.refusal === undefined) {
    const { value, done } = await text.next()
    parts.push(done === true ? filter.end() : filter.push(value))
    if (done === true) break
  }
  if (filter.count === 0) throw filter.refusal ?? NotSql('file: it contains no statement')
  return Buffer.concat(parts)
}

/** Removes what an import has besides the database: its account and unpacked files. */
export async function clearImport(
  accounts: ImportAccounts,
  { owner, database }: Pick<ImportOrder, 'owner' | 'database'>,
): Promise<void> {
  await dropImportAccount(accounts, database)
  await closeSource({ owner, scratch: scratchOf(database) })
}

const scratchOf = (database: string): string => `db/.import-${database}`

/** With a binary log, only accounts that administer the server may create triggers and functions, unless it trusts them. */
async function trustRoutines({ connection }: Pick<Importing, 'connection'>): Promise<void> {
  const [row] = await connection.run(
    sql`select @@log_bin as has_log, @@log_bin_trust_function_creators as trusts`,
  )
  if (Number(row?.['has_log']) === 1 && Number(row?.['trusts']) === 0)
    await connection.run(sql`set global log_bin_trust_function_creators = 1`)
}

interface Pouring extends Limits {
  readonly source: { readonly text: AsyncIterator<Buffer>; readonly sizeBytes: number | undefined }
  readonly filter: StatementFilter
  /** What the filter has passed on of the source so far. */
  readonly begin: Buffer
  readonly password: string
}

async function pour(
  { socketPath }: Importing,
  { owner, database }: ImportOrder,
  pouring: Pouring,
): Promise<void> {
  const { filter, password, signal } = pouring
  const broken = new AbortController()
  const input = new PassThrough({ highWaterMark: 256 * 1024 })
  input.on('error', () => {}) // the client has ended: its message tells why
  const client = owner.run(clientArgv(socketPath, database), {
    input,
    sockets: [socketPath],
    file: { path: optionFile, content: `[client]\npassword=${password}\n` },
    signal: AbortSignal.any([signal, broken.signal]),
    timeoutMs: limitMs,
  })
  // the input of a text that breaks off is never ended: the client would run the part of a statement that it has
  const failure = await feed(input, pouring, client).catch((error: unknown) => {
    broken.abort()
    return error instanceof Error ? error : new Error(String(error))
  })
  const result = await client
  input.destroy()
  signal.throwIfAborted()
  if (failure !== undefined) throw failure
  if (result.code !== 0) throw failureOf(result, filter)
  if (filter.refusal !== undefined) throw refusalOf(filter)
}

async function feed(
  input: PassThrough,
  { source: { text, sizeBytes }, filter, begin, onProgress }: Pouring,
  client: Promise<RunResult>,
): Promise<undefined> {
  let [bytes, hasEnded] = [begin.length, false]
  const end = client.then(() => (hasEnded = true))
  const write = async (passed: Buffer) => {
    if (!input.write(passed)) await Promise.race([once(input, 'drain').catch(() => end), end])
    onProgress(bytes, sizeBytes, filter.count)
  }
  await write(begin)
  while (!hasEnded && filter.refusal === undefined) {
    const { value, done } = await text.next()
    if (done === true) break
    bytes += value.length
    await write(filter.push(value))
  }
  await text.return?.()
  input.end(filter.end())
}

/** In the sandbox and in binary mode, the client runs no command that the text contains. */
const clientArgv = (socketPath: string, database: string): readonly [string, ...string[]] => [
  'mariadb',
  `--defaults-file=${optionFile}`,
  `--user=${importAccount(database)}`,
  '--protocol=socket',
  `--socket=${socketPath}`,
  '--batch',
  '--silent',
  '--sandbox',
  '--binary-mode',
  '--local-infile=0',
  '--loose-skip-print-query-on-error',
  '--default-character-set=utf8mb4',
  '--max-allowed-packet=1G',
  '--',
  database,
]

const ran = (count: number): string =>
  count === 0 ? 'nothing was imported' : `${count} ${count === 1 ? 'statement' : 'statements'} before it ran`

function failureOf({ stderr, code }: RunResult, filter: StatementFilter): Error {
  const message = stderr.trim().slice(-2000)
  const [, line] = /^ERROR (?:\d+ \(\w+\) )?at line (\d+)/m.exec(message) ?? []
  const statement = line === undefined ? undefined : filter.at(Number(line))
  if (statement === undefined) return ImportFailed(`MariaDB: ${message || `the client ended with ${code}`}`)
  const { number, text } = statement
  return ImportFailed(`Statement ${number}, ${text} failed: ${message}; ${ran(number - 1)}`)
}

const refusalOf = ({ refusal, count }: StatementFilter): Error =>
  refusal?.kind === undefined ? ImportFailed() : refusal.kind(`${refusal.message}; ${ran(count)}`)
