import { area } from '../../core/area.ts'
import type { Store } from '../../store/store.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'
import { type IpsecQueries, ipsecQueries } from './store.ts'

/** The tunnels of this host, as the verbs of the area reach them. */
export interface Ipsec {
  readonly strongswan: Tools['strongswan']
  readonly store: Store
  readonly queries: IpsecQueries
}

/** Binds the area to the strongSwan of this host. */
export function openIpsec({ tools, store }: Deps): Ipsec {
  return { strongswan: tools.strongswan, store, queries: ipsecQueries(store) }
}

export interface Context {
  readonly ipsec: Ipsec
}

export const { endpoint } = area.of<Context>()
