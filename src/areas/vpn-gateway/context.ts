import { hostname } from 'node:os'
import { area } from '../../core/area.ts'
import type { Store } from '../../store/store.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'
import { listOf } from '../settings/index.ts'
import { type Websites, websites } from '../websites/index.ts'
import { ipsecSubnets } from './ipsec-subnets.ts'
import { type VpnQueries, vpnQueries } from './store.ts'

/** The mesh VPN and its control server on this host, as the verbs of the area reach them. */
export interface VpnGateway {
  readonly store: Store
  readonly queries: VpnQueries
  readonly server: Tools['headscale']
  readonly client: Tools['tailscale']
  readonly websites: Websites
  /** Base addresses from which the programs are downloaded. */
  readonly serverBases: readonly string[]
  readonly clientBases: readonly string[]
  /** The name that this host has in the mesh. */
  readonly nodeName: string
  /** The networks behind enabled IPsec tunnels. */
  ipsecSubnets(): Promise<readonly string[]>
}

/** Binds the area to the host and the settings. */
export function openVpnGateway({ store, tools, settings, partsOf, use }: Deps): VpnGateway {
  const { headscale_url: server = '', tailscale_url: client = '' } = settings.configuration.running
  return {
    store,
    queries: vpnQueries(store),
    server: tools.headscale,
    client: tools.tailscale,
    websites: use(websites).websites,
    serverBases: listOf(server),
    clientBases: listOf(client),
    nodeName: nodeNameOf(hostname()),
    ipsecSubnets: async () =>
      (await Promise.all(partsOf(ipsecSubnets).map((list) => list()))).flat().toSorted(),
  }
}

/** A label of a host name, as the mesh takes it. */
const nodeNameOf = (name: string): string =>
  (name.split('.')[0] ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 63) || 'gateway'

export interface Context {
  readonly vpn: VpnGateway
}

export const { endpoint, work } = area.of<Context>()
