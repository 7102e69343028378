import { type Change, change, step } from '../../core/change.ts'
import { NotFound } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import type { MeshNode } from '../../tools/headscale/index.ts'
import type { VpnGateway } from './context.ts'
import { meshLock } from './locks.ts'
import type { VpnAdvertisement, VpnRoute } from './model.ts'
import { readRoute } from './networks.ts'
import { findLocalNode, loadNode } from './nodes.ts'
import { NetworkInvalid, NotInstalled } from './problems.ts'

/** The routes of an exit node, which are enabled together. */
const exitRoutes = ['0.0.0.0/0', '::/0']
const isExit = (prefix: string): boolean => exitRoutes.includes(prefix)

const idOf = (node: number, prefix: string): string => `${node}-${prefix.replace('/', '-')}`

/** Lists the networks that nodes offer, or that were enabled for them. */
export async function listRoutes({ server }: VpnGateway): Promise<VpnRoute[]> {
  return (await server.listNodes()).flatMap(routesOf)
}

function routesOf(node: MeshNode): readonly VpnRoute[] {
  const prefixes = [...new Set([...node.advertised, ...node.approved])].toSorted()
  return prefixes.map((prefix) => ({
    id: idOf(node.id, prefix),
    node_id: node.id,
    node: node.name,
    prefix,
    advertised: node.advertised.includes(prefix),
    enabled: node.approved.includes(prefix),
    serving: node.serving.includes(prefix),
    is_exit: isExit(prefix),
  }))
}

/** Lets a network be reached through a node, or no longer. */
export async function setRoute(
  on: VpnGateway,
  id: string,
  isEnabled: boolean,
): Promise<Change<{ success: true }>> {
  const node = await loadNode(on, Number(id.split('-')[0]))
  const route = routesOf(node).find((each) => each.id === id)
  if (route === undefined) throw NotFound(`id: the node ${node.name} has no route ${id}`)
  const prefixes = route.is_exit ? exitRoutes : [route.prefix]
  const edit = isEnabled ? { add: prefixes, remove: [] } : { add: [], remove: prefixes }
  return change({
    summary: `${isEnabled ? 'Enable' : 'Disable'} the route ${route.prefix} through ${node.name}`,
    locks: [meshLock],
    steps: [step(on.server.steps.approveRoutes, { id: node.id, name: node.name, ...edit })],
    reply: success,
  })
}

/** Offers networks of this host to the mesh, and enables them. */
export async function advertiseRoutes(
  on: VpnGateway,
  { routes, exit_node }: VpnAdvertisement,
): Promise<Change<{ success: true }>> {
  if (routes === undefined && exit_node === undefined)
    throw NetworkInvalid('routes: give networks, or exit_node')
  const wanted = routes?.map((route, index) => readRoute(route, `routes.${index}`))
  const local = await findLocalNode(on)
  if (local === undefined)
    throw NotInstalled(
      'This host is no node of the mesh, or its client does not run: install the gateway again',
    )
  const now = await on.client.readAdvertised()
  const plain = wanted ?? now.filter((route) => !isExit(route))
  const isExitNode = exit_node ?? now.some(isExit)
  const next = [...new Set([...plain, ...(isExitNode ? exitRoutes : [])])].toSorted()
  const { id, name, approved } = local
  const remove = now.filter((route) => !next.includes(route) && approved.includes(route))
  return change({
    summary: `Offer to the mesh: ${next.join(', ') || 'no networks'}`,
    locks: [meshLock],
    steps: [
      step(on.client.steps.advertise, { routes: next }),
      step(on.server.steps.approveRoutes, { id, name, add: next, remove }),
    ],
    reply: success,
  })
}
