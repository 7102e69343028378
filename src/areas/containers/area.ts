import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import type { Deps } from '../deps.ts'
import { firewall, openPorts } from '../firewall/index.ts'
import { programs } from '../programs/index.ts'
import { type Context, openContainers } from './context.ts'
import { creating } from './create.ts'
import * as endpoints from './endpoints/index.ts'
import * as model from './model.ts'
import { portsOfContainers } from './ports.ts'

export const containers = area({
  name: 'containers',
  title: 'Containers',
  base: '/containers',
  guard: superuser,
  plugin: 'containers',
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [creating],
  uses: [programs, firewall],
  contributes: ({ containers }: Context) => [contribution(openPorts, () => portsOfContainers(containers))],
  menu: { group: 'Hosting', path: '/containers', order: 80 },
  needs: ['docker'],
  open: (deps: Deps): Context => ({ containers: openContainers(deps) }),
})
