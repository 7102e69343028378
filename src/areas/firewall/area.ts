import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { auth, failedSignIns } from '../auth/index.ts'
import type { Deps } from '../deps.ts'
import { users } from '../users/index.ts'
import { type Context, openFirewall } from './context.ts'
import * as endpoints from './endpoints.ts'
import { createFirewall } from './migrations/202611231600-firewall.ts'
import * as model from './model.ts'
import { openPorts } from './open-ports.ts'
import { keeping } from './table.ts'
import { openBanning, watchFirewall } from './watch.ts'

export const firewall = area({
  name: 'firewall',
  title: 'Firewall',
  base: '/firewall',
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [keeping],
  migrations: [createFirewall],
  entries: { firewall_adapt: 'Adapt the firewall to the areas', firewall_ban: 'Ban an address' },
  background: ({ firewall }: Context) => watchFirewall(firewall),
  points: [openPorts],
  uses: [auth, users],
  contributes: ({ firewall }: Context) => [contribution(failedSignIns, openBanning(firewall))],
  menu: { group: 'Server', path: '/firewall', order: 30 },
  needs: ['nftables'],
  open: (deps: Deps): Context => ({ firewall: openFirewall(deps) }),
})
