import { area } from '../../core/area.ts'
import { signedIn } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { dashboard } from '../dashboard/index.ts'
import { notifications } from '../notifications/index.ts'
import { type Context, openJobsArea } from './context.ts'
import { onDashboard } from './dashboard.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'
import { noticesOfJobs } from './notices.ts'
import { pruneOldJobs } from './prune.ts'

export const jobs = area({
  name: 'jobs',
  title: 'Jobs',
  base: '/jobs',
  guard: signedIn,
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [pruneOldJobs],
  steps: ({ jobs }: Context) => [jobs.cancelStep],
  uses: [dashboard, notifications],
  contributes: ({ jobs }: Context) => [...onDashboard(jobs), noticesOfJobs(jobs)],
  open: (deps: Deps): Context => ({ jobs: openJobsArea(deps) }),
})
