import type { Static } from 'typebox'
import { change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { findContainer, loadContainer, nameOf } from './containers.ts'
import { type Containers, work } from './context.ts'
import { containerLock } from './locks.ts'
import { RemovalInput, SwitchInput } from './inputs.ts'
import { Switched } from './model.ts'
import { NothingToRemove } from './problems.ts'
import type { ContainerVerb } from './verbs.ts'

/** Returns the input of a start, stop or the like. */
export async function draftSwitch(
  on: Containers,
  id: string,
  verb: ContainerVerb,
): Promise<Static<typeof SwitchInput>> {
  const found = await loadContainer(on, id)
  return { id: found.Id, name: nameOf(found), verb }
}

const titles: Readonly<Record<ContainerVerb, string>> = {
  start: 'Start',
  stop: 'Stop',
  restart: 'Restart',
  pause: 'Pause',
  unpause: 'Continue',
  kill: 'Kill',
}

/** Starts, stops, restarts, pauses, continues or kills a container; a stop can take as long as the container asks for. */
export const switching = work({
  kind: 'containers.switch',
  input: SwitchInput,
  reply: Switched,
  timeoutMs: 120_000,
  attempts: 1,
  resumes: false,
  decide: ({ input: { id, name, verb }, containers: { docker } }) =>
    change({
      summary: `${titles[verb]} the container ${name}`,
      locks: [containerLock(name)],
      steps: [step(docker.steps.switchContainer, { id, verb })],
      reply: success,
    }),
})

/** Returns the input of a removal. */
export async function draftRemoval(
  on: Containers,
  id: string,
  isForced: boolean,
): Promise<Static<typeof RemovalInput>> {
  const found = await findContainer(on, id)
  if (found === undefined) throw NothingToRemove(`id: there is no container ${id}`)
  return { id: found.Id, name: nameOf(found), is_forced: isForced }
}

/** Removes a container. */
export const removing = work({
  kind: 'containers.remove',
  input: RemovalInput,
  reply: Switched,
  timeoutMs: 120_000,
  attempts: 1,
  resumes: false,
  decide: ({ input: { id, name, is_forced: isForced }, containers: { docker } }) =>
    change({
      summary: `Remove the container ${name}`,
      locks: [containerLock(name)],
      steps: [step(docker.steps.removeContainer, { id, isForced })],
      reply: success,
    }),
})
