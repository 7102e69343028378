import { type Change, change, step } from '../../core/change.ts'
import { NotFound } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { isExpired, type MeshNode } from '../../tools/headscale/index.ts'
import type { VpnGateway } from './context.ts'
import { meshLock } from './locks.ts'
import type { VpnNode } from './model.ts'
import { readNodeAddress } from './networks.ts'
import { reconfiguration } from './settings.ts'

/** Lists the nodes of the mesh. */
export async function listNodes(on: VpnGateway, now: Date): Promise<VpnNode[]> {
  const [nodes, local] = await Promise.all([on.server.listNodes(), localAddresses(on)])
  return nodes.map((node) => ({
    id: node.id,
    name: node.name,
    user: node.user?.name ?? null,
    addresses: [...node.addresses],
    online: node.isOnline,
    last_seen: node.lastSeen,
    expires_at: node.expiresAt,
    expired: isExpired(node, now),
    created_at: node.createdAt,
    routes: [...node.approved],
    tags: [...node.tags],
    is_local: isLocal(node, local),
  }))
}

/** Returns the node of this host; undefined if it has not joined. */
export async function findLocalNode(on: VpnGateway): Promise<MeshNode | undefined> {
  const local = await localAddresses(on)
  return (await on.server.listNodes()).find((node) => isLocal(node, local))
}

const isLocal = (node: MeshNode, local: readonly string[]): boolean =>
  node.addresses.some((address) => local.includes(address))

/** Empty where the client does not answer: then no node is known to be this host. */
const localAddresses = ({ client }: VpnGateway): Promise<readonly string[]> =>
  client.readLocalNode().then(
    ({ addresses }) => addresses,
    () => [],
  )

/** Returns the node with this id; 404 where there is none. */
export async function loadNode({ server }: VpnGateway, id: number): Promise<MeshNode> {
  const node = (await server.listNodes()).find((each) => each.id === id)
  if (node === undefined) throw NotFound(`id: the mesh has no node ${id}`)
  return node
}

/** Cuts a node off until it joins again. */
export async function expireNode(on: VpnGateway, id: number): Promise<Change<{ success: true }>> {
  const { name } = await loadNode(on, id)
  return change({
    summary: `Expire the node ${name}`,
    locks: [meshLock],
    steps: [step(on.server.steps.expireNode, { id, name })],
    reply: success,
  })
}

/** Removes a node from the mesh. */
export async function deleteNode(on: VpnGateway, id: number): Promise<Change<{ success: true }>> {
  const { name } = await loadNode(on, id)
  return change({
    summary: `Delete the node ${name}`,
    locks: [meshLock],
    steps: [step(on.server.steps.deleteNode, { id, name })],
    reply: success,
  })
}

/** Gives a node another address; the control server stops for it. */
export async function setNodeAddress(
  on: VpnGateway,
  id: number,
  { ip }: { readonly ip: string },
): Promise<Change<{ success: true }>> {
  const node = await loadNode(on, id)
  const settings = await on.queries.settings()
  const others = (await on.server.listNodes()).filter((each) => each.id !== id)
  const taken = new Set(others.flatMap(({ addresses }) => addresses))
  const { family, address } = readNodeAddress(ip, { subnet: settings.subnet, taken })
  const isSame = node.addresses.includes(address)
  const title = `Give ${node.name} the address ${address}`
  return change({
    summary: title,
    locks: [meshLock],
    steps: isSame ? [] : [await reconfiguration(on, title, settings, { [id]: { [family]: address } })],
    reply: success,
  })
}
