import { boolean, id, integer, revision, secret, text, time } from '../../../store/columns.ts'
import type { Store } from '../../../store/store.ts'
import { queriesOf } from '../../../store/table-queries.ts'
import { type RowOf, table } from '../../../store/table.ts'
import { syncKeyColumns, syncKeyNotUndone } from '../../sync-key.ts'

/** One row: the key by which other panels push zones to this one. */
export const syncKeys = table('authdns_sync_keys', syncKeyColumns, { notUndone: syncKeyNotUndone })

export const syncServers = table(
  'authdns_sync_servers',
  {
    id: id(),
    name: text(100, { unique: true }),
    url: text(300),
    sealed_key: secret(),
    created_at: time(),
    revision: revision(),
  },
  { noun: 'sync server', notUndone: { delete: 'its key is not kept' } },
)
export type SyncServerRow = RowOf<typeof syncServers>

/** The last push of a zone to a server; numbers are text, as they exceed 32 bits. */
export const syncPushed = table('authdns_sync_pushed', {
  server_id: integer({ key: true }),
  zone: text(255, { key: true }),
  change_id: text(20),
  serial: text(10),
  is_absent: boolean(),
  /** Empty if the server accepted it. */
  failure: text(2000),
  pushed_at: time(),
})
export type SyncPushedRow = RowOf<typeof syncPushed>

/** The last change of a zone that another panel has pushed. */
export const syncReceived = table(
  'authdns_sync_received',
  {
    zone: text(255, { key: true }),
    change_id: text(20),
    serial: text(10),
    is_absent: boolean(),
    received_at: time(),
  },
  { notUndone: { left: 'a change that was received is not applied again' } },
)
export type SyncReceivedRow = RowOf<typeof syncReceived>

declare module '../../../store/tables.ts' {
  interface Tables {
    readonly authdns_sync_keys: RowOf<typeof syncKeys>
    readonly authdns_sync_servers: SyncServerRow
    readonly authdns_sync_pushed: SyncPushedRow
    readonly authdns_sync_received: SyncReceivedRow
  }
}

/** Returns the queries of the sync between panels. */
export function syncQueries(store: Store) {
  const { db } = store
  const servers = queriesOf(store, syncServers)
  return {
    key: () => queriesOf(store, syncKeys).find({ id: 1 }),
    markKeyUsed: (now: Date) =>
      db.updateTable('authdns_sync_keys').set({ last_used: now.toISOString() }).where('id', '=', 1).execute(),
    servers: (): Promise<readonly SyncServerRow[]> =>
      db.selectFrom('authdns_sync_servers').selectAll().orderBy('name').execute(),
    server: (id: number) => servers.load({ id }),
    serverNamed: (name: string) => servers.find({ name }),
    pushed: (): Promise<readonly SyncPushedRow[]> =>
      db.selectFrom('authdns_sync_pushed').selectAll().execute(),
    recordPush: async (row: SyncPushedRow) => {
      const { server_id: _server, zone: _zone, ...rest } = row
      await db
        .insertInto('authdns_sync_pushed')
        .values(row)
        .onConflict((conflict) => conflict.columns(['server_id', 'zone']).doUpdateSet(rest))
        .execute()
    },
    received: (): Promise<readonly SyncReceivedRow[]> =>
      db.selectFrom('authdns_sync_received').selectAll().orderBy('zone').execute(),
    receivedZone: (zone: string) => queriesOf(store, syncReceived).find({ zone }),
  }
}

export type SyncQueries = ReturnType<typeof syncQueries>
