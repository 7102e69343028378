import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import type { Deps } from '../deps.ts'
import { firewall, openPorts } from '../firewall/index.ts'
import { programs } from '../programs/index.ts'
import { ipsecSubnets, vpnGateway } from '../vpn-gateway/index.ts'
import { type Context, openIpsec } from './context.ts'
import * as endpoints from './endpoints.ts'
import { createTunnels } from './migrations/202611281640-ipsec.ts'
import { IpsecStatus, NewTunnel, StoredTunnel, Tunnel, TunnelDraft, TunnelEdit } from './model.ts'
import { portsOfTunnels } from './ports.ts'
import { remoteSubnets } from './status.ts'

export const ipsec = area({
  name: 'ipsec',
  title: 'IPsec tunnels',
  base: '/vpn-gateway/ipsec',
  guard: superuser,
  plugin: 'vpn-gateway',
  errors: 'coded',
  endpoints,
  schemas: { IpsecStatus, NewTunnel, StoredTunnel, Tunnel, TunnelDraft, TunnelEdit },
  migrations: [createTunnels],
  uses: [programs, firewall, vpnGateway],
  contributes: ({ ipsec }: Context) => [
    contribution(openPorts, () => portsOfTunnels(ipsec)),
    contribution(ipsecSubnets, () => remoteSubnets(ipsec)),
  ],
  menu: { group: 'Network', path: '/ipsec', order: 45 },
  needs: ['strongswan'],
  open: (deps: Deps): Context => ({ ipsec: openIpsec(deps) }),
})
