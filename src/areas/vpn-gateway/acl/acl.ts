import { type Change, change, step } from '../../../core/change.ts'
import { NotFound, Problem } from '../../../core/problem.ts'
import { success } from '../../../core/reply.ts'
import { canonicalAddress, parseNetwork } from '../../../host/networks.ts'
import { ServerRefused } from '../../../tools/headscale/index.ts'
import type { VpnGateway } from '../context.ts'
import { meshLock } from '../locks.ts'
import { findLocalNode } from '../nodes.ts'
import { AddressInvalid, PolicyInvalid } from '../problems.ts'
import { userAlias } from './aliases.ts'
import { explain, type Subject } from './explain.ts'
import type { VpnAcl, VpnAclAnswer, VpnAclEdit, VpnAclQuestion } from './model.ts'
import { parsePolicy, type Policy, renderPolicy, shownPolicy } from './policy.ts'

/** Reads who may reach what. */
export const readAcl = async (on: VpnGateway): Promise<VpnAcl> => shownPolicy(await currentPolicy(on))

async function currentPolicy({ server }: VpnGateway): Promise<Policy | undefined> {
  const text = await server.readPolicy()
  return text === undefined ? undefined : parsePolicy(text)
}

/** Sets who may reach what; without groups and rules, everything is allowed. */
export async function setAcl(on: VpnGateway, edit: VpnAclEdit): Promise<Change<{ success: true }>> {
  const { server } = on
  const local = await findLocalNode(on)
  const policy = renderPolicy(edit, {
    former: await currentPolicy(on),
    users: (await server.listUsers()).map(({ name }) => name),
    gateway: local?.user ? userAlias(local.user.name) : undefined,
    ipsecSubnets: await on.ipsecSubnets(),
  })
  if (policy !== null) await assertAccepted(server, policy)
  return change({
    summary: policy === null ? 'Allow everything in the mesh' : 'Set who may reach what in the mesh',
    locks: [meshLock],
    steps: [step(server.steps.setPolicy, { policy })],
    reply: success,
  })
}

/** What the control server says of a policy is for its author. */
async function assertAccepted({ checkPolicy }: VpnGateway['server'], policy: string): Promise<void> {
  try {
    await checkPolicy(policy)
  } catch (error) {
    if (error instanceof Problem && error.kind === ServerRefused) throw PolicyInvalid(error.message)
    throw error
  }
}

/** Says whether a user or node may reach an address and port, and why. */
export async function explainAcl(
  on: VpnGateway,
  { src, address, port }: VpnAclQuestion,
): Promise<VpnAclAnswer> {
  const network = parseNetwork(address)
  if (network === undefined) throw AddressInvalid(`address: ${address} is not an address`)
  const [policy, nodes, users] = await Promise.all([
    currentPolicy(on),
    on.server.listNodes(),
    on.server.listUsers(),
  ])
  const user = users.find(({ name }) => name === src || userAlias(name) === src)
  const from = canonicalAddress(src)
  const node = nodes.find(({ name, addresses }) => name === src || addresses.includes(from))
  const subject: Subject | undefined = user
    ? {
        ...{ name: user.name, user: user.name, tags: [] },
        addresses: nodes.filter((each) => each.user?.id === user.id).flatMap(({ addresses }) => addresses),
      }
    : node && { name: node.name, user: node.user?.name, tags: node.tags, addresses: node.addresses }
  if (subject === undefined) throw NotFound(`src: the mesh has no user or node ${src}`)
  return explain(policy, nodes, { subject, address: canonicalAddress(network.address), port })
}
