import type pg from 'pg'
import Client from 'pg/lib/client.js'
import { pause } from '../../core/poll.ts'
import { ConnectionLost, DatabaseInUse, isLost } from './failures.ts'
import { typesAsInSqlite } from './types.ts'

const connectMs = 5000
/** A query that takes longer is one of a connection that no longer leads anywhere. */
const queryMs = 120_000
/** The server may still notice that a killed panel is gone. */
const lockAttempts = 30
const lockRetryMs = 100
/** The advisory lock of the panel in its database: "Host", "reev". */
const lockKey = '1215263604, 1919247734'

/** A connection that has the lock of the database. */
export interface Session {
  readonly client: pg.Client
  /** The mark of the last commit; empty in a new database. */
  readonly mark: string
  /** When that was; undefined in a new database. */
  readonly lastWrittenMs: number | undefined
}

/** Opens a connection without the lock, for reading. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new Client({
    connectionString: url,
    types: typesAsInSqlite,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs,
  })
  client.on('error', () => {}) // the query that it breaks tells of it
  await client.connect()
  return client
}

/**
 * Opens the connection of a panel: takes the lock, ending what is left of the panel's former connection, and reads the mark.
 * `panel` names the process to the server.
 */
export async function openSession(url: string, panel: string): Promise<Session> {
  const client = await connect(url)
  try {
    await client.query(`set application_name = '${panel}'`)
    // the server notices within a minute that the host of a panel is gone, and gives its lock to the next one
    await client.query(
      'set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3',
    )
    const { rows } = await client.query<{ replica: number }>('select pg_is_in_recovery() as replica')
    if (rows[0]?.replica === 1) throw new Error('the server is a replica, which takes no writes')
    await takeLock(client, panel)
    return { client, ...(await readMark(client)) }
  } catch (error) {
    void client.end().catch(() => {})
    throw error
  }
}

async function takeLock(client: pg.Client, panel: string): Promise<void> {
  for (let attempt = 1; attempt <= lockAttempts; attempt++) {
    const { rows } = await client.query<{ taken: number }>(`select pg_try_advisory_lock(${lockKey}) as taken`)
    if (rows[0]?.taken === 1) return
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = $1 and usename = current_user and pid <> pg_backend_pid()`,
      [panel],
    )
    await pause(lockRetryMs)
  }
  throw new DatabaseInUse()
}

async function readMark(client: pg.Client): Promise<Omit<Session, 'client'>> {
  const { rows: found } = await client.query<{ has_marks: number }>(
    "select to_regclass('panel_commits') is not null as has_marks",
  )
  if (found[0]?.has_marks !== 1)
    await client.query(`create table panel_commits (slot integer primary key check (slot = 1), mark text not null, at text not null);
      insert into panel_commits values (1, '', '')`)
  const { rows } = await client.query<{ mark: string; at: string }>('select mark, at from panel_commits')
  const { mark = '', at = '' } = rows[0] ?? {}
  return { mark, lastWrittenMs: at === '' ? undefined : Date.parse(at) }
}

/** The statements that commit a transaction and leave its mark, as one message. A mark has only letters, digits, - and _. */
export const committing = (mark: string, now: Date): string =>
  `update panel_commits set mark = '${mark}', at = '${now.toISOString()}'; commit`

/** The answer to a query. */
export interface Answer {
  readonly command: string
  readonly rowCount: number | null
  readonly rows: readonly object[]
}

/** Sends a query; throws `ConnectionLost` where the server can no longer be asked. */
export async function send(
  client: pg.Client,
  text: string,
  values: readonly unknown[] = [],
): Promise<Answer> {
  try {
    const name = nameOf(client, text)
    // without values and a name the server takes several statements in one message
    if (name === undefined && values.length === 0) return await client.query(text)
    return await client.query({ text, values: values.map(storable), ...(name !== undefined && { name }) })
  } catch (error) {
    if (isLost(error)) throw new ConnectionLost(error)
    throw error
  }
}

const mostPrepared = 500
const prepared = new WeakMap<pg.Client, Map<string, string>>()

/** The name of a prepared statement: the server parses and plans it once, which costs more than most of them. */
function nameOf(client: pg.Client, text: string): string | undefined {
  if (!/^(?:select|insert|update|delete)\b/.test(text) || text.includes(';')) return undefined
  const names = prepared.get(client) ?? new Map<string, string>()
  prepared.set(client, names)
  if (!names.has(text) && names.size < mostPrepared) names.set(text, `s${names.size}`)
  return names.get(text)
}

/** PostgreSQL has no text with the character 0. */
const storable = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
