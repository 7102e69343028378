import { id, integer, oneOf, optional, revision, secret, text, time } from '../../../store/columns.ts'
import type { Store } from '../../../store/store.ts'
import { queriesOf } from '../../../store/table-queries.ts'
import { type RowOf, table } from '../../../store/table.ts'

export const peers = table(
  'dnslb_peers',
  {
    id: id(),
    name: text(100, { unique: true }),
    host: text(253),
    port: integer(),
    /** SHA-256 in base64; empty: the certificate must be one that this host trusts. */
    public_key: text(44),
    sealed_key: secret(),
    status: oneOf(['active', 'error']),
    last_check: optional(time()),
    last_sync: optional(time()),
    /** Of the last push that was carried out. */
    push_id: text(40),
    created_at: time(),
    revision: revision(),
  },
  {
    noun: 'server',
    notUndone: {
      delete: 'its key is not kept',
      unchecked: ['status', 'last_check', 'last_sync', 'push_id'],
    },
  },
)
export type PeerRow = RowOf<typeof peers>

declare module '../../../store/tables.ts' {
  interface Tables {
    readonly dnslb_peers: PeerRow
  }
}

/** What a check or a push found. */
export type PeerState = Pick<PeerRow, 'status'> &
  Partial<Pick<PeerRow, 'last_check' | 'last_sync' | 'push_id'>>

/** Returns the queries of the other panels. */
export function peerQueries(store: Store) {
  const { db } = store
  const rows = queriesOf(store, peers)
  return {
    all: (): Promise<readonly PeerRow[]> =>
      db.selectFrom('dnslb_peers').selectAll().orderBy('name').execute(),
    load: (id: number) => rows.load({ id }),
    named: (name: string) => rows.find({ name }),
    at: (host: string, port: number) => rows.find({ host, port }),
    record: (id: number, state: PeerState) =>
      db.updateTable('dnslb_peers').set(state).where('id', '=', id).execute(),
  }
}

export type PeerQueries = ReturnType<typeof peerQueries>
