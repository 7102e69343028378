import Type, { type Static } from 'typebox'
import { change, type Step, step } from '../../../core/change.ts'
import { OneOf } from '../../../core/schemas.ts'
import { InstanceName } from '../catalog/model.ts'
import { type Containers, work } from '../context.ts'
import { containerLock } from '../locks.ts'
import { labels } from './labels.ts'
import { type StackAction, StackActed, stackActions } from './model.ts'
import { containerName, type FoundStack, loadStack } from './stacks.ts'

const StackActionInput = Type.Object({
  instance: InstanceName,
  action: OneOf(stackActions),
  volumes: Type.Boolean(),
})

const titles: Readonly<Record<StackAction, string>> = {
  start: 'Start',
  stop: 'Stop',
  restart: 'Restart',
  remove: 'Remove',
}

/** Starts the containers of a stack in the order of launch, stops or removes them in the reverse order. */
export const actingOnStack = work({
  kind: 'containers.stack-action',
  input: StackActionInput,
  reply: StackActed,
  timeoutMs: 3_600_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input, containers: on }) => {
    const { instance, action } = input
    const stack = await loadStack(on, instance)
    const names = stack.containers.map(containerName)
    return change({
      summary: `${titles[action]} the stack ${instance}`,
      locks: names.map((name) => containerLock(name)),
      steps: await stepsOf(on, stack, input),
      reply: { instance, action, containers: names },
    })
  },
})

async function stepsOf(
  on: Containers,
  stack: FoundStack,
  { action, volumes }: Pick<Static<typeof StackActionInput>, 'action' | 'volumes'>,
): Promise<readonly Step[]> {
  const { steps } = on.docker
  const names = stack.containers.map(containerName)
  if (action === 'remove') return removalOf(on, stack, volumes)
  if (action === 'stop')
    return stack.containers
      .filter(({ State }) => State === 'running' || State === 'paused' || State === 'restarting')
      .toReversed()
      .map((container) => step(steps.switchContainer, { id: containerName(container), verb: 'stop' }))
  const verb = action === 'start' ? 'start' : 'restart'
  return names.flatMap((name) => [
    step(steps.switchContainer, { id: name, verb }),
    step(steps.awaitHealth, { id: name, name }),
  ])
}

async function removalOf(
  { docker }: Containers,
  { instance, containers, replaced }: FoundStack,
  withVolumes: boolean,
): Promise<readonly Step[]> {
  const { removeContainer, removeNetwork, removeVolume } = docker.steps
  const volumes = withVolumes ? await docker.listVolumes(`${labels.instance}=${instance}`) : []
  return [
    ...[...replaced, ...containers]
      .toReversed()
      .map((container) =>
        step(removeContainer, { id: containerName(container), isForced: true, withVolumes: true }),
      ),
    step(removeNetwork, { name: instance }),
    ...volumes.map((name) => step(removeVolume, { name })),
  ]
}
