import { type Change, change, step } from '../../core/change.ts'
import { NotFound } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import type { MeshUser } from '../../tools/headscale/index.ts'
import { userAlias } from './acl/aliases.ts'
import type { VpnGateway } from './context.ts'
import { meshLock } from './locks.ts'
import type { VpnUser } from './model.ts'
import { UserBusy, UserTaken } from './problems.ts'

/** The user that the installation makes, and that the node of this host belongs to. */
export const firstUser = 'admin'

/** Lists the users of the mesh with how many nodes they have. */
export async function listUsers({ server }: VpnGateway): Promise<VpnUser[]> {
  const [users, nodes] = await Promise.all([server.listUsers(), server.listNodes()])
  return users
    .map(({ id, name, createdAt }) => ({
      ...{ id, name, created_at: createdAt },
      nodes: nodes.filter(({ user }) => user?.id === id).length,
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Returns the user of this name; 404 where there is none. */
export async function loadUser({ server }: VpnGateway, name: string, field = 'name'): Promise<MeshUser> {
  const user = (await server.listUsers()).find((each) => each.name === name)
  if (user === undefined) throw NotFound(`${field}: the mesh has no user ${name}`)
  return user
}

/** Creates a user of the mesh. */
export async function createUser(
  { server }: VpnGateway,
  { name }: { readonly name: string },
): Promise<Change<{ success: true }>> {
  if ((await server.listUsers()).some((user) => user.name === name))
    throw UserTaken(`name: the mesh has a user ${name} already`)
  return change({
    summary: `Create the user ${name} of the mesh`,
    locks: [meshLock],
    steps: [step(server.steps.createUser, { name })],
    reply: success,
  })
}

/** Deletes a user of the mesh who has no nodes and is in no rule; the keys of the user go too. */
export async function deleteUser(on: VpnGateway, name: string): Promise<Change<{ success: true }>> {
  const { id } = await loadUser(on, name)
  const nodes = (await on.server.listNodes()).filter(({ user }) => user?.id === id)
  if (nodes.length > 0)
    throw UserBusy(
      `name: ${name} has the nodes ${nodes
        .map((node) => node.name)
        .slice(0, 20)
        .join(', ')}: delete them first`,
    )
  if (isNamedIn((await on.server.readPolicy()) ?? '', name))
    throw UserBusy(`name: ${name} is in the access rules: remove ${name} from them first`)
  return change({
    summary: `Delete the user ${name} of the mesh`,
    locks: [meshLock],
    steps: [step(on.server.steps.deleteUser, { id, name })],
    reply: success,
  })
}

/** A later user of the same name would get what the rules allow the former. */
function isNamedIn(policy: string, name: string): boolean {
  const alias = JSON.stringify(userAlias(name)).slice(0, -1)
  return policy.includes(`${alias}"`) || policy.includes(`${alias}:`)
}
