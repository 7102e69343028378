import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { dashboard } from '../dashboard/index.ts'
import { notifications } from '../notifications/index.ts'
import { users } from '../users/index.ts'
import { signNewestEntry, verifyEachNight } from './checks.ts'
import { type Context, openActivity } from './context.ts'
import { onDashboard } from './dashboard.ts'
import * as endpoints from './endpoints.ts'
import { createVerifications } from './migrations/202611292241-verifications.ts'
import * as model from './model.ts'
import { noticesOfActivity } from './notices.ts'
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
  migrations: [createVerifications],
  jobs: [pruneOldActivity, forgetOldChanges, signNewestEntry, verifyEachNight, undoing],
  steps: ({ activity: { undo } }) => [undo.step],
  uses: [dashboard, notifications, users],
  contributes: ({ activity }: Context) => [...onDashboard(activity), noticesOfActivity(activity.store)],
  menu: { group: 'Security', path: '/activity', order: 30 },
  open: (deps: Deps): Context => ({ activity: openActivity(deps) }),
})
