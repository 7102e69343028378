import type { JobRow } from '../../jobs/tables.ts'
import { id, integer, oneOf, revision, secret, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { type RowOf, table } from '../../store/table.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { syncKeyColumns, syncKeyId, syncKeyNotUndone } from '../sync-key.ts'

/** One row: the key by which the panels of replicas reach this one. */
export const sqlSyncKeys = table('sql_sync_keys', syncKeyColumns, { notUndone: syncKeyNotUndone })

export const roleId = 1

/** One row: the role of this server; of a replica, how it reaches its primary and the panel of that. */
export const sqlReplication = table(
  'sql_replication',
  {
    id: id(),
    role: oneOf(['primary', 'replica']),
    url: text(300),
    /** Of the public key of that panel; empty if its certificate is valid for its name. */
    pin: text(64),
    sealed_key: secret(),
    host: text(253),
    port: integer(),
    username: text(80),
    sealed_password: secret(),
    certificate: text(16_384),
    created_at: time(),
    revision: revision(),
  },
  { notUndone: { delete: 'its keys are not kept' } },
)
export type RoleRow = RowOf<typeof sqlReplication>

/** The servers that may follow this one. */
export const sqlReplicas = table(
  'sql_replicas',
  {
    id: id(),
    name: text(100, { unique: true }),
    username: text(80),
    /** Zero if it is not known. */
    server_id: integer(),
    created_at: time(),
    revision: revision(),
  },
  { noun: 'replica' },
)
export type ReplicaRow = RowOf<typeof sqlReplicas>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly sql_sync_keys: RowOf<typeof sqlSyncKeys>
    readonly sql_replication: RoleRow
    readonly sql_replicas: ReplicaRow
  }
}

export const syncKind = 'sqlreplication.sync'

/** Returns this area's queries. */
export function replicationQueries(store: Store) {
  const { db } = store
  const replicas = queriesOf(store, sqlReplicas)
  return {
    key: () => queriesOf(store, sqlSyncKeys).find({ id: syncKeyId }),
    markKeyUsed: (now: Date) =>
      db
        .updateTable('sql_sync_keys')
        .set({ last_used: now.toISOString() })
        .where('id', '=', syncKeyId)
        .execute(),
    role: () => queriesOf(store, sqlReplication).find({ id: roleId }),
    replicas: (): Promise<readonly ReplicaRow[]> =>
      db.selectFrom('sql_replicas').selectAll().orderBy('name').execute(),
    replica: (replicaId: number) => replicas.load({ id: replicaId }),
    replicaNamed: (name: string) => replicas.find({ name }),
    /** The newest synchronisation. */
    lastSync: (): Promise<JobRow | undefined> =>
      db
        .selectFrom('jobs')
        .selectAll()
        .where('kind', '=', syncKind)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),
    syncJob: (jobId: number): Promise<JobRow | undefined> =>
      db
        .selectFrom('jobs')
        .selectAll()
        .where('kind', '=', syncKind)
        .where('id', '=', jobId)
        .executeTakeFirst(),
  }
}

export type ReplicationQueries = ReturnType<typeof replicationQueries>
