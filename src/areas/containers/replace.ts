import { type Step, step } from '../../core/change.ts'
import { type ContainerSpec, parseReference, type shapes } from '../../tools/docker/index.ts'
import { nameOf, replacesLabel } from './containers.ts'
import type { Containers } from './context.ts'

/** The steps that put a new container in the place of one, in the order of these fields; a stack does each for all of its containers. */
export interface Replacement {
  readonly create: Step<{ readonly id: string }>
  readonly stop: readonly Step[]
  /** The former container is renamed, and the new one created. */
  readonly make: readonly Step[]
  /** None where the former did not run. */
  readonly start: readonly Step[]
  /** The container that the last replacement kept is removed. */
  readonly last: readonly Step[]
}

/** Returns the steps of a replacement. If the new container does not work, their undo lets the former run again. */
export async function replacementOf(
  on: Pick<Containers, 'docker'>,
  found: shapes.Inspected,
  spec: ContainerSpec,
  token: string,
): Promise<Replacement> {
  const { steps } = on.docker
  const { Id: id, State } = found
  const { name } = spec
  const create = step(steps.createContainer, { spec, token })
  const start =
    spec.healthCheck === undefined
      ? [step(steps.switchContainer, { id: name, verb: 'start', isAwaited: true })]
      : [
          step(steps.switchContainer, { id: name, verb: 'start' }),
          step(steps.awaitHealth, { id: name, name }),
        ]
  return {
    create,
    stop: State.Running ? [step(steps.switchContainer, { id, verb: 'stop' })] : [],
    make: [
      step(steps.nameContainer, {
        id,
        name: `${nameOf(found)}.replaced-${token.slice(0, 8)}`,
        restartPolicy: 'no',
      }),
      create,
    ],
    start: State.Running ? start : [],
    last: await removalOfOlder(on, found),
  }
}

/** Returns all steps of a replacement. */
export const stepsOf = ({ stop, make, start, last }: Replacement): readonly Step[] => [
  ...stop,
  ...make,
  ...start,
  ...last,
]

/** Hands over what no draft names: anonymous volumes by their names, labels, and where they still fit the health check and the names in the network. */
export function successorOf(
  spec: ContainerSpec,
  { Id, Mounts }: Pick<shapes.Inspected, 'Id' | 'Mounts'>,
  former: ContainerSpec,
): ContainerSpec {
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
  const { healthCheck, aliases = [] } = former
  const isSameProgram = repositoryOf(spec) === repositoryOf(former)
  return {
    ...spec,
    volumes: [...spec.volumes, ...kept],
    ...(healthCheck && isSameProgram && { healthCheck }),
    ...(spec.network === former.network && { aliases }),
    labels: { ...former.labels, [replacesLabel]: Id },
  }
}

const repositoryOf = ({ image }: ContainerSpec) => parseReference(image)?.repository

/** Only the last container that was replaced is kept. */
async function removalOfOlder(
  { docker }: Pick<Containers, 'docker'>,
  { Config }: shapes.Inspected,
): Promise<readonly Step[]> {
  const older = Config.Labels?.[replacesLabel]
  if (older === undefined) return []
  const found = await docker.findContainer(older)
  if (found === undefined || found.State.Running) return []
  return [step(docker.steps.removeContainer, { id: older, isForced: false })]
}
