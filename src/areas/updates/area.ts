import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { dashboard } from '../dashboard/index.ts'
import { type Context, openUpdatesArea } from './context.ts'
import { onDashboard } from './dashboard.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'
import { updating } from './updating.ts'

export const updates = area({
  name: 'updates',
  title: 'Updates',
  base: '/updates',
  bases: ['/system'],
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [updating],
  steps: ({ updates }: Context) => [updates.fetchLists, updates.installUpdates],
  uses: [dashboard],
  contributes: ({ updates }: Context) => onDashboard(updates),
  menu: { group: 'Server', path: '/updates', order: 70 },
  open: (deps: Deps): Context => ({ updates: openUpdatesArea(deps) }),
})
