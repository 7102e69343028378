import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { auth, failedSignIns } from '../auth/index.ts'
import type { Deps } from '../deps.ts'
import { users } from '../users/index.ts'
import { openBanning, watchSsh } from './banning.ts'
import { type Context, openFirewall } from './context.ts'
import * as endpoints from './endpoints.ts'
import { createFirewall } from './migrations/202611231600-firewall.ts'
import { addFirewallDriver } from './migrations/202611231720-firewall-driver.ts'
import * as model from './model.ts'
import { openPorts } from './open-ports.ts'
import { keeping } from './table.ts'
import { watchFirewall } from './watch.ts'

export const firewall = area({
  name: 'firewall',
  title: 'Firewall',
  base: '/firewall',
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [keeping],
  migrations: [createFirewall, addFirewallDriver],
  entries: { firewall_adapt: 'Adapt the firewall to the areas', firewall_ban: 'Ban an address' },
  background: ({ firewall, banning }: Context) =>
    watchAll(watchFirewall(firewall), watchSsh(firewall, banning)),
  points: [openPorts],
  uses: [auth, users],
  contributes: ({ banning }: Context) => [contribution(failedSignIns, (ip) => banning.count(ip, 'panel'))],
  menu: { group: 'Server', path: '/firewall', order: 30 },
  needs: ['nftables'],
  open: (deps: Deps): Context => {
    const firewall = openFirewall(deps)
    return { firewall, banning: openBanning(firewall) }
  },
})

const watchAll = (...watches: readonly { stop(): Promise<void> }[]) => ({
  stop: async () => void (await Promise.all(watches.map((each) => each.stop()))),
})
