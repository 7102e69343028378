import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { certificates } from '../certificates/index.ts'
import type { Deps } from '../deps.ts'
import { firewall, openPorts } from '../firewall/index.ts'
import { settings } from '../settings/index.ts'
import { websites } from '../websites/index.ts'
import * as aclModel from './acl/model.ts'
import { type Context, openVpnGateway } from './context.ts'
import * as endpoints from './endpoints/index.ts'
import { installing, uninstalling } from './install.ts'
import { ipsecSubnets } from './ipsec-subnets.ts'
import { createVpnGateway } from './migrations/202611281630-vpn-gateway.ts'
import * as model from './model.ts'
import { portsOfMesh } from './ports.ts'
import { renewing } from './renew-key.ts'

export const vpnGateway = area({
  name: 'vpn-gateway',
  title: 'VPN',
  base: '/vpn-gateway',
  guard: superuser,
  plugin: 'vpn-gateway',
  errors: 'coded',
  endpoints,
  schemas: { ...model, ...aclModel },
  jobs: [installing, uninstalling, renewing],
  migrations: [createVpnGateway],
  points: [ipsecSubnets],
  uses: [firewall, settings, websites, certificates],
  contributes: ({ vpn }: Context) => [contribution(openPorts, () => portsOfMesh(vpn))],
  menu: { group: 'Network', path: '/vpn', order: 40 },
  needs: ['nginx'],
  open: (deps: Deps): Context => ({ vpn: openVpnGateway(deps) }),
})
