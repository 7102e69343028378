import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { identifier, sql } from '../../../host/apply/steps.ts'
import type { Owner } from '../../../host/owner/index.ts'
import type { RunResult } from '../../../host/run.ts'
import { StatementFilter } from '../../sql-import/filter.ts'
import { ImportFailed, NotSql } from '../../sql-import/problems.ts'
import { closeSource, openSource } from '../../sql-import/source.ts'
import { ownerRole } from '../names.ts'
import { textOf } from '../server.ts'
import { type Clients, dropClient, openClient, type RunClient } from './clients.ts'
import { checkedStart, dialectOf } from './rules.ts'

/** An import of a file in the home of the owner of the database. */
export interface ImportOrder {
  readonly owner: Owner
  readonly database: string
  /** Relative to the home. */
  readonly path: string
  /** True if what is in the database is removed before. */
  readonly replaces: boolean
  /** Returns the comment that the database is given with the import. */
  readonly comment: (statements: number) => string
}

interface Limits {
  readonly signal: AbortSignal
  /** Receives how far it is: bytes of SQL, of all if that is known, and statements. */
  readonly onProgress: (bytes: number, ofBytes: number | undefined, statements: number) => void
}

/** Where a zip is unpacked. */
export const scratchOf = (database: string): string => `db/.import-${database}`

/**
 * Imports a file into a database in one transaction, by a client in the home of its owner. A failure names the line, and
 * leaves the database as it was.
 */
export async function importFile(on: Clients, order: ImportOrder, limits: Limits): Promise<number> {
  const { owner, database, path } = order
  const file = { owner, path, scratch: scratchOf(database), checkedStart }
  const dialect = dialectOf(database)
  const filter = new StatementFilter(dialect)
  try {
    const { text, sizeBytes } = await openSource(file, limits.signal)
    const source = text[Symbol.asyncIterator]()
    const begin = await beginning(source, filter)
    const feeding = { ...limits, source, sizeBytes, filter, begin, isOpen: () => dialect.splitter.isOpen }
    try {
      await pour(await openClient(on, order), order, feeding)
    } finally {
      await dropClient(on, database)
    }
    return filter.count
  } finally {
    await closeSource(file)
  }
}

/** Returns the first bytes for the client; throws if they cannot be a dump. */
async function beginning(text: AsyncIterator<Buffer>, filter: StatementFilter): Promise<Buffer> {
  const parts: Buffer[] = []
  while (filter.count === 0 && filter.refusal === undefined) {
    const { value, done } = await text.next()
    parts.push(done === true ? filter.end() : filter.push(value))
    if (done === true) break
  }
  if (filter.refusal !== undefined) throw filter.refusal
  if (filter.count === 0) throw NotSql('file: it contains no statement')
  return Buffer.concat(parts)
}

interface Feeding extends Limits {
  readonly source: AsyncIterator<Buffer>
  readonly sizeBytes: number | undefined
  readonly filter: StatementFilter
  /** What the filter has passed on of the source so far. */
  readonly begin: Buffer
  /** True if the text so far ends within a statement. */
  readonly isOpen: () => boolean
}

const argv = [
  'psql',
  '--no-psqlrc',
  '--no-password',
  '--quiet',
  '--output=/dev/null',
  '--set=ON_ERROR_STOP=1',
  '--set=VERBOSITY=terse',
  '--file=-',
] as const

/** The transaction ends only if all of the text was carried out: whatever breaks off before leaves nothing. */
async function pour(run: RunClient, order: ImportOrder, feeding: Feeding): Promise<void> {
  const { database, replaces, comment } = order
  const { filter, signal } = feeding
  const broken = new AbortController()
  const input = new PassThrough({ highWaterMark: 256 * 1024 })
  input.on('error', () => {}) // the client has ended: its message tells why
  const ended = run(argv, { input, signal: AbortSignal.any([signal, broken.signal]) })
  // on the first line, so that messages name the lines of the file
  const owner = identifier(ownerRole(database))
  input.write(`begin; ${replaces ? `${textOf(sql`drop owned by ${owner} cascade`)}; ` : ''}`)
  const failure = await feed(input, feeding, ended).catch((error: unknown) => {
    broken.abort()
    return error instanceof Error ? error : new Error(String(error))
  })
  if (failure === undefined) {
    const said = textOf(sql`comment on database ${identifier(database)} is ${comment(filter.count)}`)
    input.end(`\n;reset role; ${said}; commit;\n`)
  }
  const result = await ended
  input.destroy()
  signal.throwIfAborted()
  if (failure !== undefined) throw failure
  if (result.code !== 0) throw failureOf(result)
}

async function feed(
  input: PassThrough,
  { source, sizeBytes, filter, begin, isOpen, onProgress }: Feeding,
  client: Promise<RunResult>,
): Promise<undefined> {
  let [bytes, hasEnded] = [begin.length, false]
  const end = client.then(
    () => (hasEnded = true),
    () => (hasEnded = true),
  )
  const write = async (passed: Buffer) => {
    if (!input.write(passed)) await Promise.race([once(input, 'drain').catch(() => end), end])
    onProgress(bytes, sizeBytes, filter.count)
  }
  await write(begin)
  while (!hasEnded && filter.refusal === undefined) {
    const { value, done } = await source.next()
    if (done === true) break
    bytes += value.length
    await write(filter.push(value))
  }
  await source.return?.()
  if (hasEnded) return
  await write(filter.end())
  if (filter.refusal !== undefined)
    throw filter.refusal.kind(`${filter.refusal.message}; nothing was imported`)
  if (isOpen()) throw NotSql('file: it breaks off within a statement; nothing was imported')
}

function failureOf({ stderr, code }: RunResult): Error {
  const message = stderr.trim().slice(-2000)
  const [, line, said] = /^psql:<stdin>:(\d+): ([^]*)$/m.exec(message) ?? []
  return ImportFailed(
    line === undefined
      ? `PostgreSQL: ${message || `the client ended with ${code}`}; nothing was imported`
      : `Line ${line}: ${said}; nothing was imported`,
  )
}
