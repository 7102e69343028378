import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import { oneOf } from '../../core/tool.ts'
import { certificates } from '../certificates/index.ts'
import { databases } from '../databases/index.ts'
import type { Deps } from '../deps.ts'
import { firewall } from '../firewall/index.ts'
import { users } from '../users/index.ts'
import { websites } from '../websites/index.ts'
import { type Context, openApplications } from './context.ts'
import * as endpoints from './endpoints.ts'
import { installing } from './install.ts'
import { createApplications } from './migrations/202611291930-applications.ts'
import { Application, ApplicationDraft, CatalogApplication, InstalledApplication } from './model.ts'
import { applicationsOfWebsites } from './parts.ts'

export const applications = area({
  name: 'applications',
  title: 'Applications',
  base: '/applications',
  guard: permission('websites_management'),
  errors: 'coded',
  endpoints,
  schemas: { Application, ApplicationDraft, CatalogApplication, InstalledApplication },
  jobs: [installing],
  migrations: [createApplications],
  uses: [users, websites, certificates, databases, firewall],
  contributes: ({ applications }: Context) => [applicationsOfWebsites(applications)],
  steps: ({ applications: { steps } }: Context) => Object.values(steps),
  needs: [oneOf('nginx', 'apache'), 'bubblewrap'],
  open: (deps: Deps): Context => ({ applications: openApplications(deps) }),
})
