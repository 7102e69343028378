import { at, failures, local } from '../../../core/endpoint.ts'
import { NotFound } from '../../../core/problem.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { KeyMissing } from '../../../tools/headscale/index.ts'
import * as acl from '../acl/acl.ts'
import { VpnAcl, VpnAclAnswer, VpnAclEdit, VpnAclQuestion } from '../acl/model.ts'
import { endpoint } from '../context.ts'
import { refusals, unanswered } from '../failures.ts'
import { AddressInvalid, PolicyInvalid, PolicyTooLarge, PolicyUnreadable } from '../problems.ts'

const category = local('each mesh has a policy of its own')

export const readVpnAcl = endpoint({
  method: 'GET',
  path: '/acl',
  summary: 'Read who may reach what in the mesh',
  description: 'Without a policy, the one rule that allows everything.',
  effect: 'reads',
  reply: data(VpnAcl),
  throws: failures(unanswered, { parse_error: PolicyUnreadable }),
  run: ({ vpn }) => acl.readAcl(vpn),
})

export const setVpnAcl = endpoint({
  method: 'POST',
  path: '/acl',
  summary: 'Set who may reach what in the mesh',
  description:
    'Replaces groups and rules; without both, everything is allowed. Users and groups may be written with or without the @ and `group:` of the control server, which checks the policy and applies it at once. A rule that lets nodes reach the internet through an exit node is added where there is none. Other parts of the policy, such as tags, stay.',
  effect: 'changes',
  category,
  changesAccess: true,
  body: VpnAclEdit,
  reply: succeeded,
  throws: {
    bad_request: PolicyInvalid,
    config_error: KeyMissing,
    parse_error: PolicyUnreadable,
    marshal_error: PolicyTooLarge,
    write_error: at(500, ...refusals),
  },
  run: ({ vpn, body }) => acl.setAcl(vpn, body),
})

export const explainVpnAcl = endpoint({
  method: 'GET',
  path: '/acl/explain',
  summary: 'Say whether a user or node may reach an address and port, and by which rule',
  effect: 'reads',
  query: VpnAclQuestion,
  reply: data(VpnAclAnswer),
  throws: failures(unanswered, {
    not_found: NotFound,
    bad_request: AddressInvalid,
    parse_error: PolicyUnreadable,
  }),
  run: ({ vpn, query }) => acl.explainAcl(vpn, query),
})
