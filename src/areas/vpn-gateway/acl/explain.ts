import { isInternal } from '../../../host/fetch/index.ts'
import { isWithin, parseNetwork } from '../../../host/networks.ts'
import type { MeshNode } from '../../../tools/headscale/index.ts'
import { hasPort, partsOfTarget, userAlias } from './aliases.ts'
import type { VpnAclAnswer } from './model.ts'
import type { Policy } from './policy.ts'

/** A user, or one node. */
export interface Subject {
  readonly name: string
  /** Undefined for a node of tags. */
  readonly user: string | undefined
  readonly tags: readonly string[]
  readonly addresses: readonly string[]
}

interface Question {
  readonly subject: Subject
  readonly address: string
  readonly port: number
}

/** What the owner of an address is; undefined for one outside the mesh. */
type Owner = Pick<MeshNode, 'name' | 'user' | 'tags'> | undefined

/** Says whether the policy lets a subject reach an address and port, by which rule, and through which node. */
export function explain(
  policy: Policy | undefined,
  nodes: readonly MeshNode[],
  { subject, address, port }: Question,
): VpnAclAnswer {
  const owner = nodes.find(({ addresses }) => addresses.includes(address))
  const via = owner?.name ?? gatewayTo(nodes, address)?.name ?? null
  const where = `${address} port ${port}`
  const missing = via === null ? `, and no node has this address or leads to it: enable a route first` : ''
  if (policy?.acls === undefined)
    return {
      ...{ allowed: true, rule: null, via },
      reason: `There are no rules: everything is allowed${missing}`,
    }
  const rules = policy.acls
  const index = rules.findIndex(
    ({ src, dst }) =>
      src.some((alias) => isOfSubject(policy, alias, subject)) &&
      dst.some((target) => isTarget(policy, target, { subject, address, port, owner })),
  )
  if (index < 0)
    return { allowed: false, rule: null, via, reason: `No rule lets ${subject.name} reach ${where}` }
  const { src = [], dst = [] } = rules[index] ?? {}
  return {
    ...{ allowed: true, rule: index + 1, via },
    reason: `Rule ${index + 1} (${src.join(', ')} to ${dst.join(', ')}) lets ${subject.name} reach ${where}${missing}`,
  }
}

/** The node through which an address outside the mesh is reached: that with the longest prefix. */
function gatewayTo(nodes: readonly MeshNode[], address: string): MeshNode | undefined {
  const routes = nodes.flatMap((node) =>
    node.approved
      .filter((prefix) => node.advertised.includes(prefix) && isWithin(address, [prefix]))
      .map((prefix) => ({ node, bits: parseNetwork(prefix)?.prefix ?? 0 })),
  )
  return routes.toSorted((one, other) => other.bits - one.bits)[0]?.node
}

function isOfSubject(policy: Policy, alias: string, { user, tags, addresses }: Subject): boolean {
  const networks = networksOf(policy, alias)
  if (networks !== undefined) return addresses.some((address) => isWithin(address, networks))
  return ['*', 'autogroup:danger-all'].includes(alias) || isOwner(policy, alias, { user, tags })
}

interface Target extends Question {
  readonly owner: Owner
}

function isTarget(policy: Policy, target: string, { subject, address, port, owner }: Target): boolean {
  const { host: alias, ports } = partsOfTarget(target)
  if (!hasPort(ports, port)) return false
  if (alias === '*') return true
  if (alias === 'autogroup:internet') return owner === undefined && !isInternal(address)
  if (alias === 'autogroup:self')
    return owner?.tags.length === 0 && subject.user !== undefined && owner.user?.name === subject.user
  const networks = networksOf(policy, alias)
  if (networks !== undefined) return isWithin(address, networks)
  return owner !== undefined && isOwner(policy, alias, { user: owner.user?.name, tags: owner.tags })
}

/** Nodes of tags belong to no user. */
function isOwner(policy: Policy, alias: string, { user, tags }: Pick<Subject, 'user' | 'tags'>): boolean {
  if (alias.startsWith('tag:')) return tags.includes(alias)
  if (alias === 'autogroup:tagged') return tags.length > 0
  if (tags.length > 0 || user === undefined) return false
  if (alias === 'autogroup:member') return true
  if (alias.startsWith('group:')) return policy.groups?.[alias]?.includes(userAlias(user)) === true
  return alias === userAlias(user)
}

/** The networks of an alias that is one, or the name of one; undefined for others. */
function networksOf({ hosts = {} }: Policy, alias: string): readonly string[] | undefined {
  const text = Object.hasOwn(hosts, alias) ? hosts[alias] : alias
  return text !== undefined && parseNetwork(text) !== undefined ? [text] : undefined
}
