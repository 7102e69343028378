import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import type { Deps } from '../deps.ts'
import { dashboard } from '../dashboard/index.ts'
import { firewall, openPorts } from '../firewall/index.ts'
import { programs } from '../programs/index.ts'
import { drivenServices, services } from '../services/index.ts'
import { backingUp } from './auto-backup.ts'
import { type Context, openLbproxy } from './context.ts'
import { onDashboard } from './dashboard.ts'
import * as endpoints from './endpoints/index.ts'
import { haproxyLifecycle } from './lifecycle.ts'
import * as model from './model.ts'
import { portsOfFrontends } from './ports.ts'
import { createStates } from './migrations/202611211500-lbproxy-states.ts'
import { watchStates } from './watch-states.ts'

export const lbproxy = area({
  name: 'lbproxy',
  title: 'Load balancer',
  base: '/lbproxy',
  guard: permission('administrative_operations'),
  errors: 'message-only',
  endpoints,
  schemas: model,
  jobs: [...haproxyLifecycle.jobs, backingUp],
  migrations: [createStates],
  background: ({ lbproxy }: Context) => watchStates(lbproxy),
  uses: [programs, services, dashboard, firewall],
  contributes: ({ lbproxy }: Context) => [
    contribution(drivenServices, { service: 'haproxy', title: 'Load balancer', path: '/lbproxy' }),
    contribution(openPorts, () => portsOfFrontends(lbproxy)),
    ...onDashboard(lbproxy),
  ],
  menu: { group: 'Network', path: '/lbproxy', order: 10 },
  needs: ['haproxy'],
  open: (deps: Deps): Context => ({ lbproxy: openLbproxy(deps) }),
})
