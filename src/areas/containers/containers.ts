import type { shapes } from '../../tools/docker/index.ts'
import type { Containers } from './context.ts'
import type { Container } from './model.ts'
import { withReach } from './exposure/exposure.ts'
import { portsText, shownPorts } from './ports.ts'
import { ContainerMissing } from './problems.ts'

/** Set on a container that an edit created: the id of the one that it replaced, which stays until the next edit. */
export const replacesLabel = 'hostreeve.replaces'

/** Lists the containers, running or not, the newest first. */
export async function listContainers(on: Containers): Promise<Container[]> {
  const all = await on.docker.listContainers()
  const successors = new Map(
    all.flatMap((each) => {
      const replaced = each.Labels?.[replacesLabel]
      return replaced === undefined ? [] : [[replaced, nameIn(each)] as const]
    }),
  )
  const listed = all.map((each) => ({ ...shown(each), replaced_by: successors.get(each.Id) ?? '' }))
  return [...(await withReach(on, listed))]
}

const nameIn = ({ Names }: Pick<shapes.ListedContainer, 'Names'>): string => (Names?.[0] ?? '').slice(1)

function shown(listed: shapes.ListedContainer): Omit<Container, 'replaced_by'> {
  const { Id, Image, State, Status, Ports, Created } = listed
  const published = shownPorts(Ports)
  return {
    id: Id,
    name: nameIn(listed),
    image: Image,
    state: State,
    status: Status,
    health: healthIn(Status),
    ports: portsText(published),
    published,
    created: new Date(Created * 1000).toISOString(),
  }
}

/** The list of the engine tells the health in the status alone: `Up 2 minutes (healthy)`. */
function healthIn(status: string): Container['health'] {
  if (status.includes('(healthy)')) return 'healthy'
  if (status.includes('(unhealthy)')) return 'unhealthy'
  return status.includes('(health: starting)') ? 'starting' : ''
}

/** Finds a container by its name, its id, or at least 12 digits of it; throws 404 if there is none. */
export async function loadContainer(
  { docker }: Pick<Containers, 'docker'>,
  id: string,
): Promise<shapes.Inspected> {
  const found = await findContainer({ docker }, id)
  if (found === undefined) throw ContainerMissing(`id: there is no container ${id}`)
  return found
}

/** A name goes before the digits of an id, so that no container is taken for another that is called so. */
export async function findContainer(
  { docker }: Pick<Containers, 'docker'>,
  id: string,
): Promise<shapes.Inspected | undefined> {
  const all = await docker.listContainers()
  const isPrefix = /^[0-9a-f]{12,64}$/.test(id)
  const named = all.find(({ Id, Names }) => Id === id || Names?.includes(`/${id}`))
  const found = named ?? (isPrefix ? all.find(({ Id }) => Id.startsWith(id)) : undefined)
  return found && docker.findContainer(found.Id)
}

/** The name of a container, without the slash of the engine. */
export const nameOf = ({ Name }: Pick<shapes.Inspected, 'Name'>): string => Name.replace(/^\//, '')
