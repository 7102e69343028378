import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { oneOf } from '../../core/tool.ts'
import { dashboard } from '../dashboard/index.ts'
import type { Deps } from '../deps.ts'
import { firewall, openPorts } from '../firewall/index.ts'
import { notifications } from '../notifications/index.ts'
import { webserver } from '../webserver/index.ts'
import { websites } from '../websites/index.ts'
import { dnsChallenges } from './challenges.ts'
import { type Context, openCertificates } from './context.ts'
import { onDashboard } from './dashboard.ts'
import * as endpoints from './endpoints.ts'
import { issuing } from './issue.ts'
import { createCertificates } from './migrations/202611231730-certificates.ts'
import { createPanelCertificate } from './migrations/202611292240-panel-certificate.ts'
import * as model from './model.ts'
import { noticesOfCertificates } from './notices.ts'
import { orderingPanel } from './panel/ordering.ts'
import { portsOfPanel } from './panel/panel-certificate.ts'
import { certificatesOfWebsites } from './parts.ts'
import { watchRenewals } from './watch.ts'

export const certificates = area({
  name: 'certificates',
  title: 'Certificates',
  base: '/certificates',
  bases: ['/websites', '/settings'],
  guard: permission('websites_management'),
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [issuing, orderingPanel],
  migrations: [createCertificates, createPanelCertificate],
  entries: { certificates_renew: 'Renew certificates' },
  uses: [websites, webserver, firewall, dashboard, notifications],
  points: [dnsChallenges],
  contributes: ({ certificates }: Context) => [
    noticesOfCertificates(certificates),
    certificatesOfWebsites(certificates),
    contribution(openPorts, () => portsOfPanel(certificates)),
    ...onDashboard(certificates),
  ],
  steps: ({ certificates: { order, panel } }: Context) => [order, panel.order, panel.serve],
  needs: [oneOf('nginx', 'apache')],
  background: ({ certificates }: Context) => watchRenewals(certificates),
  open: (deps: Deps): Context => ({ certificates: openCertificates(deps) }),
})
