import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import type { Deps } from '../deps.ts'
import { firewall, openPorts } from '../firewall/index.ts'
import { notifications } from '../notifications/index.ts'
import { noticesOfSearches } from './alerts.ts'
import { type Context, openLogstore } from './context.ts'
import * as endpoints from './endpoints/index.ts'
import { exporting } from './exports.ts'
import { installing, uninstalling } from './install.ts'
import { createLogstore } from './migrations/202611281330-logstore.ts'
import { addLogAlerts } from './migrations/202611291550-log-alerts.ts'
import * as model from './model.ts'
import { flagPreserved, tidy } from './retention.ts'
import * as sentModel from './sent-model.ts'
import { portsOfSources } from './sources.ts'

export const logstore = area({
  name: 'logstore',
  title: 'Logs',
  base: '/logstore',
  guard: superuser,
  plugin: 'logstore',
  errors: 'coded',
  endpoints,
  schemas: { ...model, ...sentModel },
  jobs: [installing, uninstalling, exporting, flagPreserved, tidy],
  migrations: [createLogstore, addLogAlerts],
  uses: [firewall, notifications],
  contributes: ({ logstore }: Context) => [
    contribution(openPorts, () => portsOfSources(logstore)),
    noticesOfSearches(logstore),
  ],
  menu: { group: 'Server', path: '/logs', order: 50 },
  needs: ['rsyslog'], // the page installs OpenSearch itself, from the repository of its vendor
  open: (deps: Deps): Context => ({ logstore: openLogstore(deps) }),
})
