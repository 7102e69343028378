import type { Static } from 'typebox'
import { change, type Step, step } from '../../core/change.ts'
import { from } from '../../core/returned.ts'
import type { ContainerSpec, shapes } from '../../tools/docker/index.ts'
import { loadContainer, nameOf, replacesLabel } from './containers.ts'
import { type Containers, work } from './context.ts'
import { drawToken } from './create.ts'
import { assertConfirmed, readDraft } from './draft.ts'
import { containerLock } from './locks.ts'
import { EditInput } from './inputs.ts'
import { type ContainerDraft, Created } from './model.ts'
import { openedPorts } from './ports.ts'

/** Returns the input of an edit. */
export async function draftEdit(
  on: Containers,
  id: string,
  draft: ContainerDraft,
): Promise<Static<typeof EditInput>> {
  const found = await loadContainer(on, id)
  const former = nameOf(found)
  return { id: found.Id, former, name: draft.name ?? former, draft, token: drawToken() }
}

/**
 * Puts a new container in the place of one: the former is stopped and renamed first, as the new one takes its name and
 * ports. If the new one does not work, the undo of these steps lets the former run again.
 */
export const editing = work({
  kind: 'containers.edit',
  lane: 'network',
  input: EditInput,
  reply: Created,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input: { id, former, name, draft, token }, containers: on }) => {
    const found = await loadContainer(on, id)
    const spec = successorOf(readDraft(draft, name, found.Config.Env ?? []), found)
    assertConfirmed(spec, draft.confirm)
    const { steps } = on.docker
    const isRunning = found.State.Running
    const create = step(steps.createContainer, { spec, token })
    return change({
      summary: `Edit the container ${former}`,
      locks: [...new Set([containerLock(former), containerLock(name)])],
      steps: [
        step(steps.pullImage, { image: draft.image }),
        ...(isRunning ? [step(steps.switchContainer, { id, verb: 'stop' })] : []),
        step(steps.nameContainer, {
          id,
          name: `${former}.replaced-${token.slice(0, 8)}`,
          restartPolicy: 'no',
        }),
        create,
        ...(isRunning ? [step(steps.switchContainer, { id: name, verb: 'start', isAwaited: true })] : []),
        ...(await removalOfOlder(on, found)),
      ],
      reply: { id: from(create, 'id'), opened_ports: openedPorts(spec.ports) },
    })
  },
})

/** Hands over the anonymous volumes of the former container, by their names, where the draft mounts nothing else. */
function successorOf(spec: ContainerSpec, { Id, Mounts }: shapes.Inspected): ContainerSpec {
  const anonymous = Mounts.filter(
    ({ Type, Name = '', Destination }) =>
      Type === 'volume' &&
      /^[0-9a-f]{64}$/.test(Name) &&
      spec.volumes.every(({ target }) => target !== Destination),
  )
  const kept = anonymous.map(({ Name = '', Destination, RW }) => ({
    source: Name,
    target: Destination,
    isReadOnly: !RW,
  }))
  return {
    ...spec,
    volumes: [...spec.volumes, ...kept],
    labels: { ...spec.labels, [replacesLabel]: Id },
  }
}

/** Only the last container that an edit replaced is kept. */
async function removalOfOlder(
  { docker }: Containers,
  { Config }: shapes.Inspected,
): Promise<readonly Step[]> {
  const older = Config.Labels?.[replacesLabel]
  if (older === undefined) return []
  const found = await docker.findContainer(older)
  if (found === undefined || found.State.Running) return []
  return [step(docker.steps.removeContainer, { id: older, isForced: false })]
}
