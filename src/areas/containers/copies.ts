import type { Static } from 'typebox'
import { change, type Step, step } from '../../core/change.ts'
import { from } from '../../core/returned.ts'
import type { ContainerSpec, shapes, VolumeMount } from '../../tools/docker/index.ts'
import { specOf } from './config.ts'
import { loadContainer, nameOf } from './containers.ts'
import { type Containers, work } from './context.ts'
import { drawToken } from './create.ts'
import { containerLock } from './locks.ts'
import { CloneInput } from './inputs.ts'
import { type CloneDraft, Created } from './model.ts'
import { openedPorts, readPorts } from './ports.ts'

/** Returns the input of a clone. */
export async function draftClone(
  on: Containers,
  id: string,
  { name, ports = [] }: CloneDraft,
): Promise<Static<typeof CloneInput>> {
  const found = await loadContainer(on, id)
  return { id: found.Id, former: nameOf(found), name, ports, token: drawToken() }
}

/** Creates a container with the settings of another and a copy of its volumes; folders of the host are shared. */
export const cloning = work({
  kind: 'containers.clone',
  lane: 'files',
  input: CloneInput,
  reply: Created,
  timeoutMs: 6 * 3_600_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input: { id, former, name, ports, token }, containers: on }) => {
    const found = await loadContainer(on, id)
    const source = await specOf(on, found)
    const copies = copiesOf(source.volumes, name)
    const labels = withoutOwn(source.labels)
    const spec = { ...source, name, ports: readPorts(ports), volumes: copies, labels, aliases: [] }
    const { steps } = on.docker
    const create = step(steps.createContainer, { spec, token })
    const targets = copies.flatMap(({ source: from, target }) => (from.startsWith('/') ? [] : [target]))
    return change({
      summary: `Clone the container ${former} to ${name}`,
      locks: [containerLock(former), containerLock(name)],
      steps: [
        ...volumeSteps(on, copies, token),
        create,
        ...paused(on, found, [step(steps.copyVolumes, { from: id, to: name, targets })]),
        ...(found.State.Running ? [step(steps.switchContainer, { id: name, verb: 'start' })] : []),
      ],
      reply: { id: from(create, 'id'), opened_ports: openedPorts(spec.ports) },
    })
  },
})

/** A copy is no part of a stack, and was not launched from the catalog. */
const withoutOwn = (labels: ContainerSpec['labels'] = {}) =>
  Object.fromEntries(Object.entries(labels).filter(([key]) => !key.startsWith('hostreeve.')))

const mostStem = 150

/** Names the volumes of a copy after the container that they belong to; folders of the host stay what they are. */
export const copiesOf = (volumes: ContainerSpec['volumes'], name: string): readonly VolumeMount[] =>
  volumes.map((volume, index) =>
    volume.source.startsWith('/')
      ? volume
      : { ...volume, source: `${name.slice(0, mostStem)}-volume${index + 1}`, isReadOnly: volume.isReadOnly },
  )

/** The steps that create the volumes of a copy. */
export const volumeSteps = (
  { docker }: Containers,
  volumes: readonly VolumeMount[],
  token: string,
): readonly Step[] =>
  volumes.flatMap(({ source }) =>
    source.startsWith('/') ? [] : [step(docker.steps.createVolume, { name: source, token })],
  )

/** Pauses a running container around steps that read its files, so that they all are of one moment. */
export const paused = (
  { docker }: Containers,
  { Id: id, State }: shapes.Inspected,
  steps: readonly Step[],
): readonly Step[] =>
  State.Status === 'running'
    ? [
        step(docker.steps.switchContainer, { id, verb: 'pause' }),
        ...steps,
        step(docker.steps.switchContainer, { id, verb: 'unpause' }),
      ]
    : steps
