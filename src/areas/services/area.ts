import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { dashboard } from '../dashboard/index.ts'
import { notifications } from '../notifications/index.ts'
import { type Context, openServicesArea } from './context.ts'
import { onDashboard } from './dashboard.ts'
import { drivenServices, startObstacles } from './driven.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'
import { noticesOfServices } from './notices.ts'

export const services = area({
  name: 'services',
  title: 'Services',
  base: '/services',
  guard: permission('administrative_operations'),
  errors: 'coded',
  endpoints,
  schemas: model,
  steps: ({ services }: Context) => [services.switchStep],
  points: [drivenServices, startObstacles],
  uses: [dashboard, notifications],
  contributes: ({ services }: Context) => [...onDashboard(services), noticesOfServices(services)],
  menu: { group: 'Server', path: '/services', order: 10 },
  open: (deps: Deps): Context => ({ services: openServicesArea(deps) }),
})
