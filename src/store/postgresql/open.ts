import {
  HandleEmptyInListsPlugin,
  Kysely,
  type PostgresCursor,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  replaceWithNoncontingentExpression,
  sql,
} from 'kysely'
import type { Db } from '../database.ts'
import type { Tables } from '../tables.ts'
import { PanelDialect } from './compiler.ts'
import { ConnectionLost, isStoreAway, messageOf } from '../disk-failures.ts'
import { DatabaseInUse, DatabaseUnusable, mostAttempts, unreachable } from './failures.ts'
import { Link } from './link.ts'
import type { LinkOptions } from './link-options.ts'

/** The next start settles from the rows what is in progress. */
function endProcess(error: Error): never {
  process.stderr.write(`hostreeve: ${error.message}\n`)
  process.exit(1)
}

/** The server may start after the panel, as both are started with their hosts, or be away for minutes. */
function sayWaiting(cause: unknown): void {
  process.stderr.write(`hostreeve: waits for the database of the panel: ${messageOf(cause)}\n`)
}

const usual: LinkOptions = {
  patienceMs: 10_000,
  startMs: 10 * 60_000,
  onWaiting: sayWaiting,
  retryMs: 250,
  silentMs: 5000,
  lockMs: 30_000,
  onOvertaken: endProcess,
}
/** A query that waits longer for those before it fails: the connection is gone, and a commit waits for its outcome. */
const mostTurnMs = 30_000
const turnCheckMs = 250

const nullableColumns =
  "select distinct column_name as name from information_schema.columns where table_schema = current_schema() and is_nullable = 'YES'"

/** The panel's database on a PostgreSQL server, under the panel's lock. */
export interface Postgres {
  readonly db: Db
  /** When it was last written; undefined for a new one. */
  readonly lastWrittenMs: number | undefined
  /** Learns which columns may contain null; called once the schema is up to date. */
  readSchema(): Promise<void>
  /** Repeats work on the store that a lost connection broke off without an effect. */
  repeating<Value>(work: () => Promise<Value>): Promise<Value>
}

/** Connects and takes the lock of the database; throws where another panel has it. */
export async function openPostgres(url: string, options: Partial<LinkOptions> = {}): Promise<Postgres> {
  const link = new Link(url, { ...usual, ...options })
  const nullable = new Set<string>()
  const db = new Kysely<Tables>({
    dialect: new PanelDialect(poolOf(link), nullable),
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  })
  try {
    const lastWrittenMs = await link.open().catch((error: unknown) => {
      throw error instanceof DatabaseInUse || error instanceof DatabaseUnusable
        ? error
        : new DatabaseUnusable(error)
    })
    // SQLite has this function, which queries use
    await link.query(
      "create or replace function instr(text, text) returns integer language sql immutable as 'select strpos($1, $2)'",
      [],
    )
    return {
      db,
      lastWrittenMs,
      readSchema: async () => {
        const { rows } = await sql.raw<{ name: string }>(nullableColumns).execute(db)
        for (const { name } of rows) nullable.add(name)
      },
      repeating,
    }
  } catch (error) {
    await link.close()
    throw error
  }
}

async function repeating<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isStoreAway(error) || attempt === mostAttempts) throw error
    }
  }
}

/** A pool of one connection: queries and transactions have it one after another, as in SQLite. */
function poolOf(link: Link): PostgresPool {
  const waiting: (() => void)[] = []
  let isTaken = false
  const take = async () => {
    if (isTaken) await turn(link, waiting)
    isTaken = true
  }
  const release = () => {
    const next = waiting.shift()
    isTaken = next !== undefined // it passes to the next without being free meanwhile
    next?.()
  }
  return {
    options: {},
    connect: async () => {
      await take()
      return new Turn(link, release)
    },
    end: () => link.close(),
  }
}

/** The connection, for as long as one user has it. */
class Turn implements PostgresPoolClient {
  readonly #link: Link
  readonly release: () => void

  constructor(link: Link, release: () => void) {
    this.#link = link
    this.release = release
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query(text: unknown, values: readonly unknown[] = []): unknown {
    return this.#link.query(String(text), values)
  }
}

function turn(link: Link, waiting: (() => void)[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const limitMs = performance.now() + mostTurnMs
  const begin = () => {
    clearInterval(timer)
    resolve()
  }
  const timer = setInterval(() => {
    if (!link.isAway && performance.now() < limitMs) return
    clearInterval(timer)
    waiting.splice(waiting.indexOf(begin), 1)
    const silent = new Error('it does not answer')
    reject(unreachable(link.isAway ? new ConnectionLost(silent) : silent))
  }, turnCheckMs)
  waiting.push(begin)
  return promise
}
