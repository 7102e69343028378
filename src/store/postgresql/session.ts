import type pg from 'pg'
import Client from 'pg/lib/client.js'
import { pause } from '../../core/poll.ts'
import { ConnectionLost } from '../disk-failures.ts'
import { DatabaseInUse, DatabaseUnusable, isLost, mayBeWorking, ServerTakesNoWrites } from './failures.ts'
import { storable, typesAsInSqlite } from './types.ts'

const connectMs = 5000
/** An idle connection is looked at after this time; one that leads nowhere ends some ten seconds later. */
const keepAliveMs = 10_000
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

/** Opens a connection without the lock. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new Client({
    connectionString: url,
    types: typesAsInSqlite,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    connectionTimeoutMillis: connectMs,
  })
  client.on('error', () => {}) // the query that it breaks tells of it
  await client.connect()
  return client
}

/** Ends a connection whose server stops answering while it is set up. */
const endAfter = (client: pg.Client, ms: number): NodeJS.Timeout =>
  setTimeout(() => void client.end().catch(() => {}), ms)

interface Opening {
  /** Names the process to the server. */
  readonly panel: string
  /** How long the lock is waited for. */
  readonly lockMs: number
}

/** Opens the connection of a panel: takes the lock, ending what is left of the panel's former connection, and reads the mark. */
export async function openSession(url: string, { panel, lockMs }: Opening): Promise<Session> {
  const client = await connect(url)
  const limit = endAfter(client, lockMs + connectMs)
  try {
    await client.query(`set application_name = '${panel}'`)
    await client.query(leavesClients)
    await assertFit(client)
    await takeLock(client, panel, lockMs)
    return { client, ...(await readMark(client)) }
  } catch (error) {
    void client.end().catch(() => {})
    throw error
  } finally {
    clearTimeout(limit)
  }
}

/** The server notices within a minute that a panel or its host is gone, also amid a query, and gives its lock to the next one. */
const leavesClients = `set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3;
  set tcp_user_timeout = 60000; set client_connection_check_interval = 2000`

async function assertFit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string; is_read_only: string }>(
    "select current_setting('server_encoding') as encoding, current_setting('transaction_read_only') as is_read_only",
  )
  const { encoding, is_read_only } = rows[0] ?? {}
  if (is_read_only === 'on') throw new ServerTakesNoWrites()
  if (encoding !== 'UTF8')
    throw new DatabaseUnusable(
      new Error(`its encoding is ${encoding}: create it with createdb --encoding=UTF8 --template=template0`),
    )
}

async function takeLock(client: pg.Client, panel: string, lockMs: number): Promise<void> {
  const limitMs = performance.now() + lockMs
  for (;;) {
    const { rows } = await client.query<{ taken: number }>(`select pg_try_advisory_lock(${lockKey}) as taken`)
    if (rows[0]?.taken === 1) return
    if (performance.now() > limitMs) throw new DatabaseInUse()
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = $1 and usename = current_user and pid <> pg_backend_pid()`,
      [panel],
    )
    await pause(lockRetryMs)
  }
}

/** True if a session has the lock of the database that a connection leads to. */
export async function hasLock(client: pg.Client, pid: number): Promise<boolean> {
  const [classId, objectId] = lockKey.split(', ')
  const { rows } = await client.query(
    `select pid from pg_locks where locktype = 'advisory' and granted and pid = $1 and classid = ${classId} and objid = ${objectId}`,
    [pid],
  )
  return rows.length > 0
}

/**
 * Asks over another connection whether the server still works on a query of the panel. False if it does not answer, or has
 * answered already: the connection of the query leads nowhere then. A server that refuses the login may work on it.
 */
export async function isWorkingFor(url: string, panel: string): Promise<boolean> {
  let client: pg.Client
  try {
    client = await connect(url)
  } catch (error) {
    return mayBeWorking(error)
  }
  const limit = endAfter(client, connectMs)
  try {
    const { rows } = await client.query(
      `select pid from pg_stat_activity
        where application_name = $1 and usename = current_user and state not like 'idle%'`,
      [panel],
    )
    return rows.length > 0
  } catch {
    return false
  } finally {
    clearTimeout(limit)
    void client.end().catch(() => {})
  }
}

/** Waits until the replicas that commits wait for have the last one, too. */
export const awaitReplicas = (client: pg.Client): Promise<unknown> =>
  client.query('update panel_commits set at = at')

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
