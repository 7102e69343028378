import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { dashboard } from '../dashboard/index.ts'
import { users } from '../users/index.ts'
import { type Context, openActivity } from './context.ts'
import { onDashboard } from './dashboard.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'
import { forgetOldChanges, pruneOldActivity } from './prune.ts'
import { undoing } from './undo.ts'

export const activity = area({
  name: 'activity',
  title: 'Activity',
  base: '/activity',
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [pruneOldActivity, forgetOldChanges, undoing],
  steps: ({ activity: { undo } }) => [undo.step],
  uses: [dashboard, users],
  contributes: ({ activity }: Context) => onDashboard(activity),
  menu: { group: 'Security', path: '/activity', order: 30 },
  open: (deps: Deps): Context => ({ activity: openActivity(deps) }),
})
