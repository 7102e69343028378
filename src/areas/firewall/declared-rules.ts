import { type Change, change } from '../../core/change.ts'
import { BadRequest, Problem } from '../../core/problem.ts'
import { isSame } from '../../core/steps.ts'
import type { Firewall } from './context.ts'
import type { FirewallRuleDraft } from './model.ts'
import { gap, mostRules, newRule, textOf } from './rules.ts'
import { firewallRules, type RuleRow } from './store.ts'
import { firewallLock, tableChange } from './table.ts'

/** A rule without its position: the list that declares it has the order. */
export type DeclaredRule = Omit<FirewallRuleDraft, 'position'>

interface Declaring {
  readonly userId: number
  /** The ids of the rules that are new, one for each declared rule. */
  readonly ids: readonly number[]
  /** Deletes the rules that are not declared. */
  readonly prune: boolean
}

/** What a list of declared rules changes. */
interface DeclaredRules {
  /** Undefined if the rules are so already. */
  readonly change: Change | undefined
  /** The texts of the rules, by the index at which they are declared. */
  readonly added: ReadonlyMap<number, string>
  readonly deleted: readonly string[]
  readonly isReordered: boolean
  /** The texts of what could lock people out: it would have to be confirmed if it were changed alone. */
  readonly risks: readonly string[]
}

/**
 * Brings the rules into the declared order and adds those that are missing, each behind the rule that is declared
 * before it. Two rules are the same if all their fields are.
 */
export async function declareRules(
  on: Firewall,
  drafts: readonly DeclaredRule[],
  { userId, ids, prune }: Declaring,
): Promise<DeclaredRules> {
  const [rules, { is_enabled: isEnabled }] = await Promise.all([on.queries.rules(), on.queries.settings()])
  const declared = drafts.map((draft, index) => at(index, () => newRule(draft, { id: ids[index]!, rank: 0 })))
  const found = match(declared, rules)
  const kept = prune ? rules.filter((rule) => found.includes(rule)) : rules
  const wanted = inOrder(declared, found, kept)
  if (wanted.length > mostRules) throw BadRequest(`firewall_rules: there can be ${mostRules} rules at most`)
  const added = new Map(drafts.flatMap((draft, index) => (found[index] ? [] : [[index, textOf(draft)]])))
  const gone = rules.filter((rule) => !kept.includes(rule))
  const isReordered = !isSame(idsOf(wanted.filter((rule) => kept.includes(rule))), idsOf(kept))
  const parts = { added, deleted: gone.map(shown), isReordered }
  if (added.size === 0 && gone.length === 0 && !isReordered) return { ...parts, change: undefined, risks: [] }
  const ranked = wanted.map((rule, index) => ({ ...rule, rank: (index + 1) * gap }))
  const rows = [
    ...gone.map(({ id }) => firewallRules.delete({ id })),
    ...ranked.flatMap((rule) => {
      const was = rules.find(({ id }) => id === rule.id)
      if (was === undefined) return [firewallRules.insert(rule)]
      return was.rank === rule.rank ? [] : [firewallRules.updateWhere({ id: rule.id }, { rank: rule.rank })]
    }),
  ]
  const summary = 'Change the firewall rules'
  const risks = isEnabled === 1 ? risksOf(drafts, { ...parts, gone }) : []
  if (isEnabled !== 1)
    return { ...parts, risks, change: change({ summary, locks: [firewallLock], rows, reply: null }) }
  const carried = await tableChange(on, {
    summary,
    userId,
    rules: ranked,
    rows,
    isRisky: false, // whoever declares them confirms the risks before the change
    reply: () => null,
  })
  return { ...parts, risks, change: carried }
}

interface Differences {
  readonly added: ReadonlyMap<number, string>
  readonly gone: readonly RuleRow[]
  readonly isReordered: boolean
}

function risksOf(drafts: readonly DeclaredRule[], { added, gone, isReordered }: Differences) {
  const closing = [...added].filter(([index]) => drafts[index]?.action !== 'allow')
  return [
    ...closing.map(([, text]) => `The firewall rule ${text} takes effect at once`),
    ...gone
      .filter(({ action }) => action === 'allow')
      .map((rule) => `The firewall rule ${shown(rule)} ends at once`),
    ...(isReordered ? ['The firewall rules get another order at once'] : []),
  ]
}

/** Names the declared rule that is wrong. */
function at<Value>(index: number, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const message = error.message.replace(/^(\w+)\.(\d+)(?=:)/, '$1[$2]')
    throw BadRequest(`firewall_rules[${index}].${message}`, { cause: error })
  }
}

/** Returns for each declared rule the stored one that is the same, if there is one; none twice. */
function match(declared: readonly RuleRow[], rules: readonly RuleRow[]): readonly (RuleRow | undefined)[] {
  const left = Map.groupBy(rules, keyOf)
  return declared.map((rule) => left.get(keyOf(rule))?.shift())
}

const keyOf = (rule: RuleRow): string => {
  const { id: _id, rank: _rank, rate = null, ...fields } = firewallRules.show(rule)
  return JSON.stringify(
    Object.entries({ ...fields, rate }).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
}

function inOrder(
  declared: readonly RuleRow[],
  found: readonly (RuleRow | undefined)[],
  kept: readonly RuleRow[],
): readonly RuleRow[] {
  const known = found.filter((rule) => rule !== undefined)
  const queue = [...known]
  // the places of the declared rules stay, in the declared order
  const wanted = kept.map((rule) => (known.includes(rule) ? queue.shift()! : rule))
  for (const [index, rule] of declared.entries()) {
    if (found[index] !== undefined) continue
    const before = found[index - 1] ?? declared[index - 1]
    const next = found.slice(index + 1).find((each) => each !== undefined)
    const place =
      before !== undefined
        ? wanted.indexOf(before) + 1
        : next !== undefined
          ? wanted.indexOf(next)
          : wanted.length
    wanted.splice(place, 0, rule)
  }
  return wanted
}

const idsOf = (rules: readonly RuleRow[]): readonly number[] => rules.map(({ id }) => id)

function shown(rule: RuleRow): string {
  const { action, protocol, ports, comment } = firewallRules.show(rule)
  return textOf({ action, protocol, ports, comment })
}

/** Returns the rules in their order, as they are declared. */
export async function declaredRules({
  queries,
}: Pick<Firewall, 'queries'>): Promise<readonly DeclaredRule[]> {
  return (await queries.rules()).map((row) => {
    const { action, protocol, family, ports, sources, rate, comment } = firewallRules.show(row)
    return {
      action,
      protocol,
      ...(family !== 'any' && { family }),
      ...(ports.length > 0 && { ports: [...ports] }),
      ...(sources.length > 0 && { sources: [...sources] }),
      ...(rate !== null && rate !== undefined && { rate }),
      ...(comment !== '' && { comment }),
    }
  })
}
