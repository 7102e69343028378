import { categories as categoryNames, type Category } from '../../core/endpoint.ts'
import {
  boolean,
  id,
  integer,
  oneOf,
  optional,
  ref,
  revision,
  secret,
  text,
  time,
} from '../../store/columns.ts'
import { pruneLimit } from '../../store/prune-limit.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'
import { actionStates, serverStates } from './model.ts'
import { ServerNotFound } from './problems.ts'

export const servers = table(
  'replication_servers',
  {
    id: id(),
    name: text(100, { unique: true }),
    host: text(253),
    port: integer(),
    /** SHA-256 in base64; empty until the server was tested. */
    public_key: text(44),
    sealed_key: secret(),
    /** True if who named the host may reach internal addresses. */
    may_be_internal: boolean(),
    is_enabled: boolean(),
    status: oneOf(serverStates),
    message: text(2000),
    last_check: optional(time()),
    created_at: time(),
    updated_at: time(),
    revision: revision(),
  },
  {
    noun: 'server',
    notUndone: {
      delete: 'its key is not kept',
      unchecked: ['status', 'message', 'last_check', 'public_key'],
    },
  },
)
export type ServerRow = RowOf<typeof servers>

const told = 'the other server may have been told of it: switch it back instead'
export const switches = table(
  'replication_categories',
  {
    server_id: ref('replication_servers', { key: true }),
    category: oneOf(categoryNames, { key: true }),
    is_enabled: boolean(),
  },
  { notUndone: { insert: told, columns: { is_enabled: told } } },
)

/** The requests for other panels, in the order of their changes. Written outside changes, once they are there. */
export const actions = table(
  'replication_actions',
  {
    id: id(),
    server_id: integer(),
    category: oneOf(categoryNames),
    method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    endpoint: text(4096),
    /** Without secrets. */
    request_body: text(20_000),
    sealed_request: secret(),
    status: oneOf(actionStates),
    response_code: optional(integer()),
    error_message: text(2000),
    retry_count: integer(),
    /** True if it has succeeded, or was retried three times in vain. */
    is_over: boolean(),
    idempotency_key: text(64),
    /** Of the last retry that was asked for. */
    retry_token: text(64),
    tries: integer(),
    next_try: time(),
    created_at: time(),
    completed_at: optional(time()),
  },
  { noun: 'action', notUndone: { left: 'what other servers were sent is no part of it' } },
)
export type ActionRow = RowOf<typeof actions>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly replication_servers: ServerRow
    readonly replication_categories: RowOf<typeof switches>
    readonly replication_actions: ActionRow
  }
}

/** By which a server that gets websites from here is told to let nobody else create some. */
export const creationLockPath = '/api/settings/website-creation-lock'

const keptDays = 90

/** What of the log is asked for. */
export interface LogQuery {
  readonly limit: number
  readonly category?: string
  readonly status?: string
}

/** Returns this area's queries. */
export const replicationQueries = (store: Store) => ({ ...serverQueries(store), ...actionQueries(store) })

function serverQueries(store: Store) {
  const { db } = store
  const rows = queriesOf(store, servers)
  return {
    all: (): Promise<readonly ServerRow[]> =>
      db.selectFrom('replication_servers').selectAll().orderBy('name').execute(),
    find: (serverId: number) => rows.find({ id: serverId }),
    load: async (serverId: number): Promise<ServerRow> => {
      const row = await rows.find({ id: serverId })
      if (row === undefined) throw ServerNotFound()
      return row
    },
    named: (name: string) => rows.find({ name }),
    at: (host: string, port: number) => rows.find({ host, port }),
    switchesOf: (serverId: number) =>
      db.selectFrom('replication_categories').selectAll().where('server_id', '=', serverId).execute(),
    /** The servers that repeat changes of a category; those that are disabled get them once they are enabled. */
    repeating: (category: Category) =>
      db
        .selectFrom('replication_categories')
        .select('server_id')
        .where('category', '=', category)
        .where('is_enabled', '=', 1)
        .orderBy('server_id')
        .execute(),
    /** Stores what was found about a server, unless it was deleted. */
    record: (serverId: number, found: Partial<Omit<ServerRow, 'id'>>) =>
      db.updateTable('replication_servers').set(found).where('id', '=', serverId).execute(),
    /** Stores how a request to a server went; one that is disabled stays so. */
    recordSent: (serverId: number, found: Pick<ServerRow, 'status' | 'message'>) =>
      db
        .updateTable('replication_servers')
        .set(found)
        .where('id', '=', serverId)
        .where('status', '!=', 'disabled')
        .execute(),
    /** Stores the public key of a server; false if its place or its key was changed meanwhile. */
    keepKey: async ({ id: serverId, host, port, public_key: former }: ServerRow, public_key: string) => {
      const { numUpdatedRows } = await db
        .updateTable('replication_servers')
        .set({ public_key })
        .where('id', '=', serverId)
        .where('host', '=', host)
        .where('port', '=', port)
        .where('public_key', '=', former)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}

function actionQueries(store: Store) {
  const { db } = store
  const rows = queriesOf(store, actions)
  return {
    /** The first request that a server has not answered yet. */
    nextFor: (serverId: number): Promise<ActionRow | undefined> =>
      db
        .selectFrom('replication_actions')
        .selectAll()
        .where('server_id', '=', serverId)
        .where('status', '=', 'pending')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst(),
    action: (actionId: number) => rows.find({ id: actionId }),
    log: (serverId: number, query: LogQuery) => readLog(store, serverId, query),
    count: async (serverId: number, where: Partial<Pick<ActionRow, 'is_over' | 'status'>>) => {
      let query = db
        .selectFrom('replication_actions')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('server_id', '=', serverId)
      if (where.is_over !== undefined) query = query.where('is_over', '=', where.is_over)
      if (where.status !== undefined) query = query.where('status', '=', where.status)
      return Number((await query.executeTakeFirstOrThrow()).count)
    },
    /** The changes of websites that a server has not answered yet. */
    waitingWebsites: async (serverId: number): Promise<number> => {
      const { count } = await db
        .selectFrom('replication_actions')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('server_id', '=', serverId)
        .where('status', '=', 'pending')
        .where('category', '=', 'websites')
        .where('endpoint', '!=', creationLockPath)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    /** Stores how a request went, unless it was removed from the log. */
    recordAction: (actionId: number, found: Partial<Omit<ActionRow, 'id'>>) =>
      db.updateTable('replication_actions').set(found).where('id', '=', actionId).execute(),
    removeOld: (now: Date | undefined) => removeOld(store, now),
  }
}

/** The requests for a server, the newest first; none of a category or in a state that is unknown. */
async function readLog(
  { db }: Store,
  serverId: number,
  { limit, category, status }: LogQuery,
): Promise<readonly ActionRow[]> {
  const ofCategory = categoryNames.find((each) => each === category)
  const inState = actionStates.find((each) => each === status)
  if (category !== undefined && ofCategory === undefined) return []
  if (status !== undefined && inState === undefined) return []
  let query = db.selectFrom('replication_actions').selectAll().where('server_id', '=', serverId)
  if (ofCategory !== undefined) query = query.where('category', '=', ofCategory)
  if (inState !== undefined) query = query.where('status', '=', inState)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

/** Removes requests that do not wait any more after 90 days, at most one day's worth, and those of deleted servers. */
async function removeOld({ db }: Store, now: Date | undefined): Promise<number> {
  await db
    .deleteFrom('replication_actions')
    .where('server_id', 'not in', db.selectFrom('replication_servers').select('id'))
    .execute()
  const { oldest, newest } = await db
    .selectFrom('replication_actions')
    .select(({ fn }) => [fn.min('created_at').as('oldest'), fn.max('created_at').as('newest')])
    .where('status', '!=', 'pending')
    .executeTakeFirstOrThrow()
  const limit = pruneLimit(now, keptDays, { oldest, newest })
  if (limit === undefined) return 0
  const gone = await db
    .deleteFrom('replication_actions')
    .where('created_at', '<', limit)
    .where('status', '!=', 'pending')
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}

export type ReplicationQueries = ReturnType<typeof replicationQueries>
