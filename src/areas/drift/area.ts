import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { notifications } from '../notifications/index.ts'
import { services } from '../services/index.ts'
import { snapshots } from '../snapshots/index.ts'
import { type Context, openDrift } from './context.ts'
import * as endpoints from './endpoints.ts'
import { createDrift } from './migrations/202611290200-drift.ts'
import { addDriftRights } from './migrations/202611291600-drift-rights.ts'
import { DriftChecked, DriftItem, DriftReport, DriftSettled } from './model.ts'
import { noticesOfDrift } from './notices.ts'
import { checking } from './scheduled.ts'

export const drift = area({
  name: 'drift',
  title: 'Drift',
  base: '/drift',
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: { DriftChecked, DriftItem, DriftReport, DriftSettled },
  jobs: [checking],
  migrations: [createDrift, addDriftRights],
  steps: ({ drift }: Context) => [drift.setAccess, drift.setRights],
  uses: [notifications, services, snapshots],
  contributes: ({ drift }: Context) => [noticesOfDrift(drift)],
  open: (deps: Deps): Context => ({ drift: openDrift(deps) }),
})
