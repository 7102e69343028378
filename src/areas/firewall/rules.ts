import { ipv4Form } from '../../core/ipv4-form.ts'
import { type Change, change, type RowWrite } from '../../core/change.ts'
import { BadRequest } from '../../core/problem.ts'
import { hasHostBits, parseNetwork } from '../../host/networks.ts'
import type { Firewall } from './context.ts'
import type { AddedRule, FirewallChange, FirewallRule, FirewallRuleDraft } from './model.ts'
import { firewallRules, type RuleRow } from './store.ts'
import { firewallLock, tableChange } from './table.ts'

const settled: FirewallChange = { change_id: null, confirm_before: null }
export const mostRules = 5000
/** Room between two rules for those that are put there later. */
export const gap = 2 ** 20

/** Lists the rules in their order, with what they have matched. */
export async function listRules({ queries, nftables }: Firewall): Promise<FirewallRule[]> {
  const [rules, { is_enabled: isEnabled }] = await Promise.all([queries.rules(), queries.settings()])
  const counters = isEnabled ? (await nftables.list()).counters : undefined
  return rules.map((row, index) => {
    const { rank: _rank, rate = null, ...shown } = firewallRules.show(row)
    const parts = ['', ' ipv4', ' ipv6'].flatMap((end) => counters?.get(`rule ${row.id}${end}`) ?? [])
    const sum = (of: 'packets' | 'bytes') => parts.reduce((total, each) => total + each[of], 0)
    const counted = parts.length > 0
    return {
      ...shown,
      position: index + 1,
      rate: rate ?? null,
      packets: counted ? sum('packets') : null,
      bytes: counted ? sum('bytes') : null,
    }
  })
}

interface Adding {
  readonly userId: number
  readonly id: (table: string) => number
}

/** Adds a rule. One that does not only allow has to be confirmed, where the firewall is on. */
export async function addRule(
  on: Firewall,
  draft: FirewallRuleDraft,
  { userId, id }: Adding,
): Promise<Change<AddedRule>> {
  assertConsistent(draft)
  const [rules, { is_enabled: isEnabled }] = await Promise.all([on.queries.rules(), on.queries.settings()])
  if (rules.length >= mostRules) throw BadRequest(`position: there are ${mostRules} rules already`)
  const { position = rules.length + 1, action } = draft
  if (position > rules.length + 1)
    throw BadRequest(`position: ${position} is behind the last: use 1 to ${rules.length + 1}`)
  const { ranks, rank } = makeRoom(rules, position - 1)
  const row = newRule(draft, { id: id(firewallRules.name), rank })
  const rows = [...ranks, firewallRules.insert(row)]
  const summary = `Add a firewall rule: ${textOf(draft)}`
  if (!isEnabled) return change({ summary, locks: [firewallLock], rows, reply: { id: row.id, ...settled } })
  return tableChange(on, {
    summary,
    userId,
    rules: rules.toSpliced(position - 1, 0, row),
    rows,
    isRisky: action !== 'allow',
    reply: (done) => ({ id: row.id, ...done }),
  })
}

/** Returns the row of a new rule; fails with the field that does not go with another. */
export function newRule(draft: FirewallRuleDraft, place: Pick<RuleRow, 'id' | 'rank'>): RuleRow {
  assertConsistent(draft)
  return firewallRules.row({
    ...place,
    action: draft.action,
    protocol: draft.protocol,
    family: draft.family ?? 'any',
    ports: draft.ports ?? [],
    sources: (draft.sources ?? []).map(ipv4Form),
    ...(draft.rate !== undefined && { rate: draft.rate }),
    comment: draft.comment ?? '',
  })
}

/** Deletes a rule. The deletion of one that allows has to be confirmed, where the firewall is on. */
export async function deleteRule(
  on: Firewall,
  rule: RuleRow,
  { userId }: Pick<Adding, 'userId'>,
): Promise<Change<FirewallChange>> {
  const [rules, { is_enabled: isEnabled }] = await Promise.all([on.queries.rules(), on.queries.settings()])
  const rows = [firewallRules.delete({ id: rule.id })]
  const { action, protocol, ports, comment } = firewallRules.show(rule)
  const summary = `Delete a firewall rule: ${textOf({ action, protocol, ports, comment })}`
  if (!isEnabled) return change({ summary, locks: [firewallLock], rows, reply: settled })
  return tableChange(on, {
    summary,
    userId,
    rules: rules.filter(({ id }) => id !== rule.id),
    rows,
    isRisky: action === 'allow',
    reply: (done) => done,
  })
}

type Described = Pick<FirewallRuleDraft, 'action' | 'protocol' | 'ports' | 'comment'>

/** Describes a rule in a few words. */
export function textOf({ action, protocol, ports = [], comment = '' }: Described): string {
  const what = [action, protocol, ports.slice(0, 5).join(', ')].filter((each) => each !== '').join(' ')
  return comment === '' ? what : `${what} (${comment})`
}

function assertConsistent({
  action,
  protocol,
  ports = [],
  sources = [],
  family,
  rate,
}: FirewallRuleDraft): void {
  if (ports.length > 0 && protocol === 'icmp')
    throw BadRequest('ports: ICMP has no ports: leave them out, or use tcp, udp or any')
  ports.forEach((text, index) => assertPorts(text, `ports.${index}`))
  sources.forEach((text, index) => assertSource(text, { field: `sources.${index}`, family }))
  if (action === 'limit' && rate === undefined)
    throw BadRequest('rate: a rule with limit needs a rate such as 10/minute')
  if (action !== 'limit' && rate !== undefined)
    throw BadRequest('rate: only a rule with the action limit has a rate')
}

function assertPorts(text: string, field: string): void {
  const [first = 0, last = first] = text.split('-').map(Number)
  if (first > 65_535 || last > 65_535) throw BadRequest(`${field}: ${text}: ports end at 65535`)
  if (first > last) throw BadRequest(`${field}: ${text}: the range ends before it begins`)
}

/** Throws unless the text is an address, or a network without host bits. */
export function assertNetwork(text: string, field: string): void {
  const network = parseNetwork(text)
  if (network === undefined) throw BadRequest(`${field}: ${text} is not an address or a network`)
  if (hasHostBits(network))
    throw BadRequest(`${field}: ${text} has bits after its prefix: use the first address of the network`)
}

function assertSource(
  text: string,
  { field, family }: { readonly field: string; readonly family: FirewallRuleDraft['family'] },
): void {
  assertNetwork(text, field)
  const own = parseNetwork(text)?.family
  if (family !== undefined && family !== 'any' && own !== family)
    throw BadRequest(`${field}: ${text} is not an address of the family ${family}`)
}

/** Returns the rank of a new rule before the one at an index; all others get a new one where there is no room. */
function makeRoom(rules: readonly RuleRow[], index: number): { rank: number; ranks: readonly RowWrite[] } {
  const before = index === 0 ? 0 : (rules[index - 1]?.rank ?? 0)
  const after = rules[index]?.rank ?? before + 2 * gap
  const rank = Math.floor((before + after) / 2)
  if (rank > before) return { rank, ranks: [] }
  const ranks = rules.map(({ id }, at) =>
    firewallRules.updateWhere({ id }, { rank: (at + (at < index ? 1 : 2)) * gap }),
  )
  return { rank: (index + 1) * gap, ranks }
}
