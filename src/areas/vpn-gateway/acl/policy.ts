import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { PolicyInvalid, PolicyTooLarge, PolicyUnreadable } from '../problems.ts'
import { groupAlias, type Known, readMember, readSource, readTarget } from './aliases.ts'
import type { AclGroups, AclRule, VpnAcl, VpnAclEdit } from './model.ts'

const Lists = Type.Record(Type.String(), Type.Array(Type.String({ maxLength: 300 })))

/** A policy as the control server takes it. Sections that the panel does not show are kept. */
const Policy = Type.Object({
  groups: Type.Optional(Lists),
  hosts: Type.Optional(Type.Record(Type.String(), Type.String())),
  tagOwners: Type.Optional(Lists),
  acls: Type.Optional(
    Type.Array(
      Type.Object(
        {
          action: Type.String({ maxLength: 20 }),
          src: Type.Array(Type.String({ maxLength: 300 })),
          dst: Type.Array(Type.String({ maxLength: 300 })),
        },
        { additionalProperties: false },
      ),
    ),
  ),
  autoApprovers: Type.Optional(
    Type.Object({ routes: Type.Optional(Lists), exitNode: Type.Optional(Type.Array(Type.String())) }),
  ),
})
export type Policy = Static<typeof Policy>

const mostCharacters = 500_000
const internetTarget = 'autogroup:internet:*'

/** What the panel shows where there is no policy: everything is allowed. */
const allowAll: VpnAcl = {
  groups: {},
  acls: [{ action: 'accept', src: ['*'], dst: ['*:*'] }],
  autoApprovers: { routes: {}, exitNode: [] },
}

/** Reads a policy of the control server; throws PolicyUnreadable for one that the panel would not keep whole. */
export function parsePolicy(text: string): Policy {
  const value = parsedJson(text)
  if (!Value.Check(Policy, value)) {
    const [first] = Value.Errors(Policy, value)
    throw PolicyUnreadable(
      `The policy has something that the panel does not show (${first?.instancePath ?? ''}): change it with headscale policy set`,
    )
  }
  if ('grants' in value)
    throw PolicyUnreadable(
      'The policy has grants, which the panel does not show: change it with headscale policy set',
    )
  return value
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw PolicyUnreadable(
      'The policy is not plain JSON, as one with comments: change it with headscale policy set',
    )
  }
}

/** Shows a policy; undefined is that of a mesh without one. */
export function shownPolicy(policy: Policy | undefined): VpnAcl {
  if (policy === undefined) return allowAll
  const { groups = {}, acls, autoApprovers = {} } = policy
  return {
    groups,
    acls: acls ?? allowAll.acls,
    autoApprovers: { routes: autoApprovers.routes ?? {}, exitNode: autoApprovers.exitNode ?? [] },
  }
}

/** What a policy is rendered with besides what its author wrote. */
interface Surroundings {
  readonly former: Policy | undefined
  readonly users: readonly string[]
  /** The user of the node of this host, as policies name it; undefined if it has not joined. */
  readonly gateway: string | undefined
  /** Networks that are enabled as soon as the node of this host offers them. */
  readonly ipsecSubnets: readonly string[]
}

/** Renders a policy; null where groups and rules are empty, so that everything is allowed. */
export function renderPolicy(
  { groups = {}, acls = [] }: Pick<VpnAclEdit, 'groups' | 'acls'>,
  { former, users, gateway, ipsecSubnets }: Surroundings,
): string | null {
  if (Object.keys(groups).length === 0 && acls.length === 0) return null
  const known: Known = {
    users: new Set(users),
    groups: new Set(Object.keys(groups).map(groupAlias)),
    hosts: new Set(Object.keys(former?.hosts ?? {})),
    tags: new Set(Object.keys(former?.tagOwners ?? {})),
  }
  const approvers = gateway === undefined ? [] : [gateway]
  const policy: Policy = {
    ...former,
    groups: readGroups(groups, known),
    acls: withInternet(acls.map((rule, index) => readRule(rule, `acls.${index}`, known))),
    autoApprovers: {
      routes: gateway === undefined ? {} : Object.fromEntries(ipsecSubnets.map((each) => [each, approvers])),
      exitNode: approvers,
    },
  }
  const text = `${JSON.stringify(policy, null, 2)}\n`
  if (text.length > mostCharacters)
    throw PolicyTooLarge(`The policy has ${text.length} characters, and may have ${mostCharacters}`)
  return text
}

function readGroups(groups: AclGroups, known: Known): Record<string, string[]> {
  const read: Record<string, string[]> = {}
  for (const [name, members] of Object.entries(groups)) {
    const alias = groupAlias(name)
    if (alias in read) throw PolicyInvalid(`groups.${name}: ${alias} is there twice`)
    read[alias] = [
      ...new Set(members.map((text, index) => readMember(text, `groups.${name}.${index}`, known))),
    ]
  }
  return read
}

function readRule({ action, src, dst }: AclRule, field: string, known: Known): AclRule {
  if (action !== 'accept')
    throw PolicyInvalid(`${field}.action: must be accept, not ${action}: what no rule accepts is refused`)
  return {
    action,
    src: src.map((text, index) => readSource(text, `${field}.src.${index}`, known)),
    dst: dst.map((text, index) => readTarget(text, `${field}.dst.${index}`, known)),
  }
}

/** Without such a rule, nodes that use an exit node would reach nothing through it. */
function withInternet(rules: readonly AclRule[]): AclRule[] {
  const hasOne = rules.some(({ dst }) => dst.includes(internetTarget))
  return hasOne ? [...rules] : [...rules, { action: 'accept', src: ['*'], dst: [internetTarget] }]
}
