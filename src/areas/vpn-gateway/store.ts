import Type from 'typebox'
import type { RowWrite } from '../../core/change.ts'
import { boolean, id, integer, json, optional, revision, text } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { type RowOf, table } from '../../store/table.ts'
import { queriesOf } from '../../store/table-queries.ts'

/** One row: how the control server of the mesh is set up. */
export const vpnGateway = table('vpn_gateway', {
  id: id(),
  domain: optional(text(253)),
  username: optional(text(32)),
  base_domain: text(253),
  subnet: text(43),
  magic_dns: boolean(),
  nameservers: json(Type.Array(Type.String())),
  /** The website that forwards to it; it may be deleted as any other. */
  website_id: optional(integer()),
  revision: revision(),
})

declare module '../../store/tables.ts' {
  interface Tables {
    readonly vpn_gateway: RowOf<typeof vpnGateway>
  }
}

type Row = RowOf<typeof vpnGateway>

/** The settings as they are stored, or the defaults. */
export type StoredSettings = Omit<ReturnType<typeof vpnGateway.show>, 'id' | 'revision'>

const defaults: StoredSettings = {
  domain: null,
  username: null,
  base_domain: 'mesh.internal',
  subnet: '100.64.0.0/10',
  magic_dns: true,
  nameservers: [],
  website_id: null,
}

/** Returns this area's queries. */
export function vpnQueries(store: Store) {
  const row = (): Promise<Row | undefined> => queriesOf(store, vpnGateway).find({ id: 1 })
  return {
    /** Reads the settings. */
    settings: async (): Promise<StoredSettings> => {
      const found = await row()
      if (found === undefined) return defaults
      const { id: _id, revision: _revision, ...settings } = vpnGateway.show(found)
      return settings
    },
    /** Returns the write that changes the settings. */
    changed: async (set: Partial<StoredSettings>): Promise<RowWrite> => {
      const found = await row()
      return found === undefined
        ? vpnGateway.insert(vpnGateway.row({ id: 1, ...defaults, ...set }))
        : vpnGateway.update(found, set)
    },
  }
}

export type VpnQueries = ReturnType<typeof vpnQueries>
