import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import { oneOf } from '../../core/tool.ts'
import { dashboard } from '../dashboard/index.ts'
import type { Deps } from '../deps.ts'
import { notifications } from '../notifications/index.ts'
import { websites } from '../websites/index.ts'
import { dnsChallenges } from './challenges.ts'
import { type Context, openCertificates } from './context.ts'
import { onDashboard } from './dashboard.ts'
import * as endpoints from './endpoints.ts'
import { issuing } from './issue.ts'
import { createCertificates } from './migrations/202611231730-certificates.ts'
import * as model from './model.ts'
import { noticesOfCertificates } from './notices.ts'
import { certificatesOfWebsites } from './parts.ts'
import { watchRenewals } from './watch.ts'

export const certificates = area({
  name: 'certificates',
  title: 'Certificates',
  base: '/certificates',
  bases: ['/websites'],
  guard: permission('websites_management'),
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [issuing],
  migrations: [createCertificates],
  entries: { certificates_renew: 'Renew certificates' },
  uses: [websites, dashboard, notifications],
  points: [dnsChallenges],
  contributes: ({ certificates }: Context) => [
    noticesOfCertificates(certificates),
    certificatesOfWebsites(certificates),
    ...onDashboard(certificates),
  ],
  steps: ({ certificates: { order } }: Context) => [order],
  needs: [oneOf('nginx', 'apache')],
  background: ({ certificates }: Context) => watchRenewals(certificates),
  open: (deps: Deps): Context => ({ certificates: openCertificates(deps) }),
})
