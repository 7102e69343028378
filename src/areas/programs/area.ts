import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { dashboard } from '../dashboard/index.ts'
import { plugins } from '../plugins/index.ts'
import { system } from '../system/index.ts'
import { type Context, openPrograms } from './context.ts'
import { onDashboard } from './dashboard.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'
import { installing, servingAgain } from './install.ts'

export const programs = area({
  name: 'programs',
  title: 'Software',
  base: '/programs',
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [installing, servingAgain],
  uses: [plugins, system, dashboard],
  contributes: ({ programs }: Context) => onDashboard(programs),
  menu: { group: 'Server', path: '/programs', order: 60 },
  open: (deps: Deps): Context => ({ programs: openPrograms(deps) }),
})
