import Type from 'typebox'
import { local } from '../../core/endpoint.ts'
import { NotFound } from '../../core/problem.ts'
import { created, data, succeeded } from '../../core/reply.ts'
import { FirewalldFailed } from '../../tools/firewalld/index.ts'
import { RulesRefused } from '../../tools/nftables/index.ts'
import * as bans from './bans.ts'
import { type Context, confirmation, endpoint } from './context.ts'
import {
  AddedRule,
  Ban,
  BanDraft,
  BanPath,
  BanSettings,
  FirewallChange,
  FirewallRule,
  FirewallRuleDraft,
  FirewallRulePath,
  FirewallStatus,
} from './model.ts'
import { OtherFirewall, SwitchedAlready } from './problems.ts'
import * as rules from './rules.ts'
import { readStatus } from './status.ts'
import * as switches from './switch.ts'
import { firewallLock } from './table.ts'

const category = local('each host has a firewall of its own')
const firewall_refused = RulesRefused

export const readFirewallStatus = endpoint({
  method: 'GET',
  path: '/status',
  summary: 'Read the state of the firewall, the open ports and the rules of others',
  effect: 'reads',
  reply: data(FirewallStatus),
  throws: { firewall_refused },
  run: ({ firewall }) => readStatus(firewall),
})

export const listFirewallRules = endpoint({
  method: 'GET',
  path: '/rules',
  summary: 'List the rules of the firewall in their order, with their counters',
  effect: 'reads',
  reply: data(Type.Array(FirewallRule, { maxItems: 5000 })),
  throws: { firewall_refused },
  run: ({ firewall }) => rules.listRules(firewall),
})

export const addFirewallRule = endpoint({
  method: 'POST',
  path: '/rules',
  summary: 'Add a rule to the firewall',
  description:
    'Where the firewall is on, a rule that denies, rejects or limits is undone unless it is confirmed before the time in the reply.',
  effect: 'changes',
  category,
  body: FirewallRuleDraft,
  bodyBytes: 256 * 1024,
  reply: created(AddedRule),
  throws: { firewall_refused },
  run: ({ firewall, body, caller, id }) => rules.addRule(firewall, body, { userId: caller.user.id, id }),
})

export const deleteFirewallRule = endpoint({
  method: 'DELETE',
  path: '/rules/{id}',
  summary: 'Delete a rule of the firewall',
  description:
    'Where the firewall is on, the deletion of a rule that allows is undone unless it is confirmed before the time in the reply.',
  effect: 'destroys',
  category,
  params: FirewallRulePath,
  reply: data(FirewallChange),
  throws: { firewall_refused },
  target: ({ params, firewall }) => firewall.queries.rule(params.id),
  run: ({ firewall, target, caller }) => rules.deleteRule(firewall, target, { userId: caller.user.id }),
})

export const enableFirewall = endpoint({
  method: 'POST',
  path: '/enable',
  summary: 'Enable the firewall: packets that no rule admits are dropped',
  description: 'It is undone unless it is confirmed before the time in the reply.',
  effect: 'changes',
  category,
  reply: data(FirewallChange),
  throws: { conflict: [OtherFirewall, SwitchedAlready], firewall_refused: [RulesRefused, FirewalldFailed] },
  run: ({ firewall, caller }) => switches.enable(firewall, caller.user.id),
})

export const disableFirewall = endpoint({
  method: 'POST',
  path: '/disable',
  summary: 'Disable the firewall: every packet is admitted but those of banned addresses',
  effect: 'changes',
  changesAccess: true,
  category,
  reply: data(FirewallChange),
  throws: { conflict: SwitchedAlready, firewall_refused },
  run: ({ firewall, caller }) => switches.disable(firewall, caller.user.id),
})

export const { confirmChange, cancelChange } = confirmation({
  lock: firewallLock,
  on: ({ firewall }: Context) => firewall.provisional,
})

export const listBans = endpoint({
  method: 'GET',
  path: '/bans',
  summary: 'List the banned addresses',
  effect: 'reads',
  reply: data(Type.Array(Ban, { maxItems: 10_000 })),
  run: ({ firewall, now }) => bans.listBans(firewall, now),
})

export const addBan = endpoint({
  method: 'POST',
  path: '/bans',
  summary: 'Ban an address: all its packets are dropped',
  effect: 'changes',
  category,
  body: BanDraft,
  reply: created(Ban),
  throws: { firewall_refused },
  run: ({ firewall, body, caller, now }) => bans.addBan(firewall, body, { ip: caller.ip, now }),
})

export const deleteBan = endpoint({
  method: 'DELETE',
  path: '/bans/{address}',
  summary: 'Release a banned address',
  effect: 'destroys',
  category,
  params: BanPath,
  reply: succeeded,
  throws: { not_found: NotFound, firewall_refused },
  run: ({ firewall, params, now }) => bans.deleteBan(firewall, params.address, now),
})

export const readBanSettings = endpoint({
  method: 'GET',
  path: '/settings',
  summary: 'Read when addresses are banned automatically',
  effect: 'reads',
  reply: data(BanSettings),
  run: ({ firewall }) => bans.readBanSettings(firewall),
})

export const setBanSettings = endpoint({
  method: 'PUT',
  path: '/settings',
  summary: 'Set when addresses are banned automatically',
  effect: 'changes',
  category,
  body: BanSettings,
  reply: data(BanSettings),
  run: ({ firewall, body }) => bans.setBanSettings(firewall, body),
})
