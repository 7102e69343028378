import { local } from '../../../core/endpoint.ts'
import { awaited, data } from '../../../core/reply.ts'
import { StackLaunch } from '../catalog/model.ts'
import { StackUnknown } from '../catalog/problems.ts'
import { endpoint } from '../context.ts'
import * as problems from '../problems.ts'
import { actingOnStack } from './act-on-stack.ts'
import { draftStackLaunch, launchingStack } from './launch-stack.ts'
import { draftStackUpgrade, upgradingStack } from './upgrade-stack.ts'
import * as model from './model.ts'
import { ServiceUnknown, StackMissing } from './problems.ts'
import * as stacks from './stacks.ts'

const { DraftInvalid, EngineFailed, ImageUnavailable, NameTaken } = problems
const ofThisHost = local('each host has its own containers')

export const listStacks = endpoint({
  method: 'GET',
  path: '/stacks',
  summary: 'List the stacks that were launched from the catalog, with their services',
  effect: 'reads',
  reply: data(model.Stacks),
  throws: { container_error: EngineFailed },
  run: ({ containers }) => stacks.listStacks(containers),
})

export const launchStack = endpoint({
  method: 'POST',
  path: '/stacks/launch',
  summary: 'Launch a stack of the catalog, and show the generated secrets once',
  description:
    'Creates a network and the volumes, and then each service in the order of the catalog, which must be healthy before the next one starts; a part that fails removes the whole. `services` adds those that are off by default, and replaces ports.',
  effect: 'changes',
  category: ofThisHost,
  body: StackLaunch,
  reply: awaited(launchingStack, { status: 200, shape: 'data' }),
  throws: {
    bad_request: [DraftInvalid, ServiceUnknown],
    not_found: StackUnknown,
    name_taken: NameTaken,
    container_error: [EngineFailed, ImageUnavailable],
  },
  run: ({ body }) => draftStackLaunch(body),
})

export const actOnStack = endpoint({
  method: 'POST',
  path: '/stacks/{instance}/{action}',
  summary: 'Start, stop, restart or remove a stack with all its containers',
  description:
    'Its containers are started in the order of launch, each once the one before is healthy, and stopped in the reverse order. `remove` keeps its volumes unless `volumes` is true.',
  effect: 'destroys',
  category: ofThisHost,
  params: model.StackPath,
  body: model.StackActionBody,
  reply: awaited(actingOnStack, { status: 200, shape: 'data' }),
  throws: { not_found: StackMissing, container_error: EngineFailed },
  run: ({ params, body }) => ({ ...params, volumes: body.volumes }),
})

export const upgradeStack = endpoint({
  method: 'POST',
  path: '/stacks/{instance}/upgrade',
  summary: 'Upgrade the services of a stack to other images, with a backup of each',
  description:
    'Pulls the images, backs up the services and replaces them in the order of launch; each must be healthy before the next one starts. If one is not, all former containers run again on the content of the backups. The former containers stay, stopped, until the next edit or upgrade.',
  effect: 'changes',
  category: ofThisHost,
  params: model.StackInstance,
  body: model.StackUpgrade,
  reply: awaited(upgradingStack, { status: 200, shape: 'data' }),
  throws: {
    bad_request: [DraftInvalid, ServiceUnknown],
    not_found: [StackMissing, problems.ContainerMissing],
    conflict: problems.UpToDate,
    container_error: [EngineFailed, ImageUnavailable],
  },
  run: ({ containers, params, body, now }) => draftStackUpgrade(containers, params.instance, body, now),
})
