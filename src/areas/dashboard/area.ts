import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { type Context, openDashboard } from './context.ts'
import * as endpoints from './endpoints.ts'
import { firstSteps } from './first-steps.ts'
import * as model from './model.ts'
import { tiles } from './tiles.ts'

export const dashboard = area({
  name: 'dashboard',
  title: 'Dashboard',
  base: '/dashboard',
  guard: permission('administrative_operations'),
  errors: 'coded',
  endpoints,
  schemas: model,
  points: [tiles, firstSteps],
  menu: { group: '', path: '/dashboard', order: 0 },
  open: (deps: Deps): Context => ({ dashboard: openDashboard(deps) }),
})
