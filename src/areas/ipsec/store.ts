import { boolean, id, integer, json, oneOf, revision, secret, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'
import { groups, Protections } from './model.ts'

export const tunnels = table(
  'ipsec_tunnels',
  {
    id: id(),
    name: text(100, { unique: true }),
    local_ip: text(45),
    remote_ip: text(45),
    sealed_secret: secret(),
    remote_id: text(200),
    local_subnet: text(43),
    remote_subnet: text(43),
    ike_version: integer(),
    ike_lifetime: text(8),
    tunnel_lifetime: text(8),
    dpd_delay: text(8),
    dpd_timeout: text(8),
    phase1_proposals: json(Protections),
    phase2_proposals: json(Protections),
    dh_group: oneOf(groups),
    replay_detection: boolean(),
    pfs_enabled: boolean(),
    key_lifetime: text(8),
    enabled: boolean(),
    created_at: time(),
    revision: revision(),
  },
  { noun: 'tunnel', notUndone: { delete: 'its secret is not kept' } },
)
export type TunnelRow = RowOf<typeof tunnels>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly ipsec_tunnels: TunnelRow
  }
}

/** Returns this area's queries. */
export function ipsecQueries(store: Store) {
  const { db } = store
  const rows = queriesOf(store, tunnels)
  return {
    load: (tunnelId: number): Promise<TunnelRow> => rows.load({ id: tunnelId }),
    /** The tunnels by name. */
    all: (): Promise<readonly TunnelRow[]> =>
      db.selectFrom('ipsec_tunnels').selectAll().orderBy('name').execute(),
    enabled: (): Promise<readonly TunnelRow[]> =>
      db.selectFrom('ipsec_tunnels').selectAll().where('enabled', '=', 1).orderBy('name').execute(),
  }
}

export type IpsecQueries = ReturnType<typeof ipsecQueries>
