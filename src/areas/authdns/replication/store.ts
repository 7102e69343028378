import Type from 'typebox'
import { boolean, id, json, oneOf, revision, text } from '../../../store/columns.ts'
import type { Store } from '../../../store/store.ts'
import { queriesOf } from '../../../store/table-queries.ts'
import { type RowOf, table } from '../../../store/table.ts'
import { roles } from './model.ts'

const Addresses = Type.Array(Type.String())

/** One row: the part of this server in replication. */
export const replication = table('authdns_replication', {
  id: id(),
  role: oneOf(roles),
  /** Empty unless it is a secondary. */
  master_ip: text(60),
  allow_axfr_ips: json(Addresses),
  also_notify: json(Addresses),
  autosecondary: boolean(),
  nameserver: text(253),
  revision: revision(),
})
export type ReplicationRow = RowOf<typeof replication>

declare module '../../../store/tables.ts' {
  interface Tables {
    readonly authdns_replication: ReplicationRow
  }
}

/** Returns the queries of the replication settings. */
export const replicationQueries = (store: Store) => ({
  find: () => queriesOf(store, replication).find({ id: 1 }),
})

export type ReplicationQueries = ReturnType<typeof replicationQueries>
