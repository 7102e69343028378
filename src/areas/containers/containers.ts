import type { shapes } from '../../tools/docker/index.ts'
import type { Containers } from './context.ts'
import type { Container } from './model.ts'
import { portsText, shownPorts } from './ports.ts'
import { ContainerMissing } from './problems.ts'

/** Set on a container that an edit has replaced: the name of its successor. */
export const replacedLabel = 'hostreeve.replaced-by'
/** The name that an edit gives the container which it replaces. */
export const replacedName = (name: string): string => `${name}.replaced`

/** Lists the containers, running or not, the newest first. */
export async function listContainers({ docker }: Containers): Promise<Container[]> {
  return (await docker.listContainers()).map(shown)
}

function shown({ Id, Names, Image, State, Status, Ports, Created }: shapes.ListedContainer): Container {
  const published = shownPorts(Ports)
  const name = (Names?.[0] ?? '').replace(/^\//, '')
  return {
    id: Id,
    name,
    image: Image,
    state: State,
    status: Status,
    health: healthIn(Status),
    ports: portsText(published),
    published,
    created: new Date(Created * 1000).toISOString(),
    replaced_by: name.endsWith('.replaced') ? name.slice(0, -'.replaced'.length) : '',
  }
}

/** The list of the engine tells the health in the status alone: `Up 2 minutes (healthy)`. */
function healthIn(status: string): Container['health'] {
  if (status.includes('(healthy)')) return 'healthy'
  if (status.includes('(unhealthy)')) return 'unhealthy'
  return status.includes('(health: starting)') ? 'starting' : ''
}

/** Finds a container by its name, its id, or at least 12 digits of it; throws 404 if there is none. */
export async function loadContainer({ docker }: Containers, id: string): Promise<shapes.Inspected> {
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
