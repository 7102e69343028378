import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import type { Deps } from '../deps.ts'
import { firewall, openPorts } from '../firewall/index.ts'
import { programs } from '../programs/index.ts'
import { launchingApp } from './catalog/launch-app.ts'
import * as catalogModel from './catalog/model.ts'
import { type Context, openContainers } from './context.ts'
import { creating } from './create.ts'
import * as endpoints from './endpoints/index.ts'
import * as imagesModel from './images/model.ts'
import { pruning } from './images/pruning.ts'
import { pulling } from './images/pull.ts'
import * as model from './model.ts'
import { portsOfContainers } from './ports.ts'
import { actingOnStack } from './stacks/act-on-stack.ts'
import { launchingStack } from './stacks/launch-stack.ts'
import * as stacksModel from './stacks/model.ts'

export const containers = area({
  name: 'containers',
  title: 'Containers',
  base: '/containers',
  guard: superuser,
  plugin: 'containers',
  errors: 'coded',
  endpoints,
  schemas: { ...model, ...catalogModel, ...stacksModel, ...imagesModel },
  jobs: [creating, launchingApp, launchingStack, actingOnStack, pulling, pruning],
  uses: [programs, firewall],
  contributes: ({ containers }: Context) => [contribution(openPorts, () => portsOfContainers(containers))],
  menu: { group: 'Hosting', path: '/containers', order: 80 },
  needs: ['docker'],
  open: (deps: Deps): Context => ({ containers: openContainers(deps) }),
})
