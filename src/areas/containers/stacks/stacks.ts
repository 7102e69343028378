import type { shapes } from '../../../tools/docker/index.ts'
import { stacks as catalogStacks } from '../catalog/entries.ts'
import { replacesLabel } from '../containers.ts'
import type { Containers } from '../context.ts'
import { portsText, shownPorts } from '../ports.ts'
import { labels } from './labels.ts'
import type { Stack } from './model.ts'
import { StackMissing } from './problems.ts'

/** The containers of a stack, in the order of launch. */
export interface FoundStack {
  readonly instance: string
  readonly containers: readonly shapes.ListedContainer[]
  /** Those that an edit or an upgrade replaced and keeps, stopped. */
  readonly replaced: readonly shapes.ListedContainer[]
}

/** Returns the stacks of this host, found by the labels of their containers, sorted by name. */
export async function findStacks({ docker }: Containers): Promise<readonly FoundStack[]> {
  const containers = (await docker.listContainers()).filter((each) => labelOf(each, labels.instance) !== '')
  const successors = new Set(containers.map((each) => labelOf(each, replacesLabel)))
  const groups = Map.groupBy(containers, (each) => labelOf(each, labels.instance))
  return [...groups]
    .map(([instance, found]) => ({
      instance,
      containers: found
        .filter(({ Id }) => !successors.has(Id))
        .toSorted((one, other) => orderOf(one) - orderOf(other)),
      replaced: found.filter(({ Id }) => successors.has(Id)),
    }))
    .toSorted((one, other) => (one.instance < other.instance ? -1 : 1))
}

/** Returns a stack by its name, or fails with 404. */
export async function loadStack(on: Containers, instance: string): Promise<FoundStack> {
  const found = (await findStacks(on)).find((stack) => stack.instance === instance)
  if (found === undefined) throw StackMissing(`instance: this host has no stack "${instance}"`)
  return found
}

/** Lists the stacks with their services. */
export const listStacks = async (on: Containers): Promise<Stack[]> => (await findStacks(on)).map(shown)

function shown({ instance, containers }: FoundStack): Stack {
  const stack_id = containers[0] ? labelOf(containers[0], labels.entry) : ''
  const entry = catalogStacks.find(({ id }) => id === stack_id)
  const running = containers.filter(({ State }) => State === 'running').length
  return {
    instance,
    stack_id,
    name: entry?.name ?? stack_id,
    icon: entry?.icon ?? 'box',
    state: running === containers.length ? 'running' : running === 0 ? 'stopped' : 'partial',
    services: containers.map((container) => ({
      key: labelOf(container, labels.service),
      id: container.Id,
      name: containerName(container),
      image: container.Image,
      state: container.State,
      status: container.Status,
      ports: portsText(shownPorts(container.Ports)),
    })),
  }
}

/** The name of a listed container, without the slash of the engine. */
export const containerName = ({ Names, Id }: shapes.ListedContainer): string =>
  (Names?.[0] ?? Id).replace(/^\//, '')

export const labelOf = ({ Labels }: shapes.ListedContainer, label: string): string => Labels?.[label] ?? ''
const orderOf = (container: shapes.ListedContainer): number => Number(labelOf(container, labels.order))
