import { ipv4Form } from '../../core/ipv4-form.ts'
import { success } from '../../core/reply.ts'
import { parseNetwork } from '../../host/networks.ts'
import { wireName } from '../../tools/dnsdist/index.ts'
import { changeBalancer, currentBalancer, ordered } from './change.ts'
import type { Dnslb } from './context.ts'
import type { RuleDraft } from './model.ts'
import { OrderInvalid, PoolMissing, RuleInvalid, RuleMissing } from './problems.ts'

/** Lists the rules in the order in which they are evaluated, after all lists. */
export async function listRules({ dnsdist }: Dnslb) {
  return { rules: [...(await dnsdist.readStored()).rules] }
}

/** Appends a rule. */
export async function createRule(on: Dnslb, draft: RuleDraft) {
  assertValid(draft)
  const { rules, servers } = await currentBalancer(on)
  const pool = draft.action === 'pool' ? draft.pool : ''
  if (pool !== '' && servers.every((server) => server.pool !== pool))
    throw PoolMissing(`pool: no server is in the pool ${pool}`)
  const value = draft.match === 'client' ? ipv4Form(draft.value) : draft.value
  const rule = { ...draft, value, pool, id: Math.max(0, ...rules.map(({ id }) => id)) + 1 }
  return changeBalancer(on, {
    summary: `Add the rule ${draft.name}`,
    reply: rule,
    edit: (now) => ({ rules: [...now.rules, rule] }),
  })
}

/** Removes a rule. */
export async function deleteRule(on: Dnslb, id: number) {
  const { rules } = await currentBalancer(on)
  const found = rules.find((rule) => rule.id === id)
  if (found === undefined) throw RuleMissing(`id: there is no rule ${id}`)
  return changeBalancer(on, {
    summary: `Remove the rule ${found.name}`,
    reply: success,
    edit: (now) => ({ rules: now.rules.filter((rule) => rule.id !== id) }),
  })
}

/** Changes the order in which rules are evaluated. */
export function reorderRules(on: Dnslb, order: readonly number[]) {
  return changeBalancer(on, {
    summary: 'Change the order of the rules',
    reply: success,
    edit: ({ rules }) => {
      const unknown = order.find((id) => rules.every((rule) => rule.id !== id))
      if (unknown !== undefined) throw OrderInvalid(`order: there is no rule ${unknown}`)
      return { rules: ordered(rules, order, ({ id }) => id) }
    },
  })
}

function assertValid({ match, value }: RuleDraft): void {
  const expected = {
    all: value === '' ? undefined : 'empty for all queries',
    client: parseNetwork(value) ? undefined : 'an address or a network such as 192.0.2.0/24',
    domain: /^[\w.-]+$/.test(value) && wireName(value) ? undefined : 'a domain such as example.com',
    type: /^[A-Z][A-Z0-9-]{0,9}$/.test(value) ? undefined : 'a record type such as AAAA',
  }[match]
  if (expected !== undefined) throw RuleInvalid(`value: must be ${expected}`)
}
