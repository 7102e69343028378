import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { certificates } from '../certificates/index.ts'
import type { Deps } from '../deps.ts'
import { firewall, openPorts } from '../firewall/index.ts'
import { programs } from '../programs/index.ts'
import { launchingApp } from './catalog/launch-app.ts'
import * as catalogModel from './catalog/model.ts'
import { terminal } from '../terminal/index.ts'
import { websites } from '../websites/index.ts'
import { type Context, openContainers } from './context.ts'
import { backingUp, restoring } from './backups.ts'
import { cloning } from './copies.ts'
import { creating } from './create.ts'
import { editing } from './edit.ts'
import { portsOfPublications } from './publications.ts'
import { publishing } from './publish.ts'
import { removing, switching } from './switch.ts'
import { upgrading } from './upgrade.ts'
import * as endpoints from './endpoints/index.ts'
import { watchLimits } from './exposure/limit.ts'
import * as exposureModel from './exposure/model.ts'
import * as imagesModel from './images/model.ts'
import { pruning } from './images/pruning.ts'
import { pulling } from './images/pull.ts'
import { createPortLimits } from './migrations/202611291610-container-port-limits.ts'
import * as model from './model.ts'
import { createRegistries } from './migrations/202611291720-container-registries.ts'
import { portsOfContainers } from './ports.ts'
import * as registriesModel from './registries/model.ts'
import { actingOnStack } from './stacks/act-on-stack.ts'
import { launchingStack } from './stacks/launch-stack.ts'
import { upgradingStack } from './stacks/upgrade-stack.ts'
import * as replaceModel from './replace/model.ts'
import * as statsModel from './stats/model.ts'
import * as stacksModel from './stacks/model.ts'

export const containers = area({
  name: 'containers',
  title: 'Containers',
  base: '/containers',
  guard: superuser,
  plugin: 'containers',
  errors: 'coded',
  endpoints,
  schemas: {
    ...model,
    ...catalogModel,
    ...stacksModel,
    ...imagesModel,
    ...registriesModel,
    ...exposureModel,
    ...replaceModel,
    ...statsModel,
  },
  migrations: [createPortLimits, createRegistries],
  background: ({ containers }: Context) => watchLimits(containers),
  jobs: [
    creating,
    editing,
    upgrading,
    publishing,
    switching,
    removing,
    cloning,
    backingUp,
    restoring,
    launchingApp,
    launchingStack,
    actingOnStack,
    upgradingStack,
    pulling,
    pruning,
  ],
  uses: [programs, firewall, terminal, websites, certificates],
  steps: ({ containers }: Context) => [containers.openWebPorts],
  contributes: ({ containers }: Context) => [
    contribution(openPorts, () => portsOfContainers(containers)),
    contribution(openPorts, () => portsOfPublications(containers, containers.websites)),
  ],
  menu: { group: 'Hosting', path: '/containers', order: 80 },
  needs: ['docker'],
  open: (deps: Deps): Context => ({ containers: openContainers(deps) }),
})
