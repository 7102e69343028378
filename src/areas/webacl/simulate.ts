import { hexBounds, parseNetwork } from '../../host/networks.ts'
import type { SimulatedAccess } from '../../tools/nginx/index.ts'
import { assertSetUp } from './available.ts'
import { rulesFor } from './compiled.ts'
import { countriesIn } from './countries.ts'
import { textOfCondition } from './condition-text.ts'
import type { Webacl } from './context.ts'
import type { Simulation, SimulationDraft } from './simulation-model.ts'
import { loadOwner, type OwnerRequest } from './owner.ts'
import { assertExpressions } from './expressions.ts'
import { type Resolved, resolved } from './resolved.ts'
import { OptionInvalid, RequestRefused } from './problems.ts'

/** Has nginx decide a request by the rules as they are now, applied or not. */
export async function simulateRequest(
  on: Webacl,
  request: OwnerRequest,
  draft: SimulationDraft,
): Promise<Simulation> {
  const owner = await loadOwner(on, request)
  const { headers = [], host = owner.website.domain } = draft
  const network = parseNetwork(draft.address.trim())
  if (network === undefined || draft.address.includes('/'))
    throw OptionInvalid('address: must be an address such as 192.0.2.1')
  const reserved = headers.find(({ name }) => reservedHeaders.has(name.toLowerCase()))
  if (reserved !== undefined)
    throw OptionInvalid(
      `headers: ${reserved.name} cannot be set: ${reserved.name.toLowerCase() === 'host' ? 'set host instead' : 'it says how the request is sent'}`,
    )
  await assertSetUp(on)
  const [config, library] = await Promise.all([on.configs.read(owner.id), on.configs.readLibrary()])
  const now = resolved(config, library)
  const countries = await on.countries.rangesOf(countriesIn(now))
  const { first: address } = hexBounds(network)
  const found = await on.nginx.simulateAccess(rulesFor(owner.id, 'simulated', now, countries), {
    method: draft.method ?? 'GET',
    target: draft.url ?? '/',
    host,
    headers: byName(headers),
    address,
    siteId: owner.website.id,
    rate: draft.request_rate ?? 0,
    hasPassed: draft.challenge_passed ?? false,
  })
  if ('refusedWith' in found)
    throw RequestRefused(
      `nginx answers this request with status ${found.refusedWith} before any rule is evaluated`,
    )
  assertExpressions(found, now)
  return show(found, now, countries.size === 0 ? null : await on.countries.countryOf(address))
}

/** A header that is given twice is sent twice, as visitors may. */
function byName(headers: NonNullable<SimulationDraft['headers']>): Record<string, string[]> {
  const values = Map.groupBy(headers, ({ name }) => name.toLowerCase())
  return Object.fromEntries([...values].map(([name, all]) => [name, all.map(({ value }) => value)]))
}

/** These say how the request is sent. */
const reservedHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'expect',
  'upgrade',
  'te',
  'trailer',
])

function show(
  { ruleset, path, steps }: SimulatedAccess,
  { rulesets }: Resolved,
  country: string | null,
): Simulation {
  const byId = new Map(rulesets.map((each) => [each.id, each]))
  const rules = new Map(rulesets.flatMap((each) => each.rules.map((rule) => [rule.id, rule] as const)))
  const shown = steps.map((each) => ({
    ruleset_id: each.ruleset,
    name: byId.get(each.ruleset)?.name ?? '',
    matched: each.matched,
    ends: each.ends,
    rules: each.rules.map(({ rule, matched, conditions }) => ({
      rule_id: rule,
      name: rules.get(rule)?.name ?? '',
      matched,
      conditions: conditions.map((condition) => ({
        index: condition.index,
        text: textAt(rules.get(rule), condition.index),
        matched: condition.matched,
        value: shownValue(rules.get(rule)?.conditions[condition.index]?.field, condition.value, country),
        problem: condition.problem ?? null,
      })),
    })),
  }))
  const action = ruleset === undefined ? undefined : byId.get(ruleset)?.action
  const decision = action === undefined || action === 'allow' || action === 'log' ? 'serve' : action
  return { decision, ruleset_id: ruleset ?? null, reason: reasonOf(shown, decision), path, rulesets: shown }
}

const textAt = (rule: Resolved['rulesets'][number]['rules'][number] | undefined, index: number): string => {
  const condition = rule?.conditions[index]
  return condition === undefined ? '' : textOfCondition(condition)
}

/** nginx tells addresses in hexadecimal digits, also for countries. */
function shownValue(
  field: string | undefined,
  value: string | undefined,
  country: string | null,
): string | null {
  if (field === 'country') return country
  if (value === undefined) return null
  if (field !== 'ip') return value
  const parts = value.length === 8 ? (value.match(/../g) ?? []) : (value.match(/.{4}/g) ?? [])
  if (value.length === 8) return parts.map((part) => Number.parseInt(part, 16)).join('.')
  return new URL(`http://[${parts.join(':')}]`).hostname.slice(1, -1)
}

const verbs: Readonly<Record<Simulation['decision'], string>> = {
  serve: 'is served',
  block: 'is blocked',
  challenge: 'is challenged',
  redirect: 'is redirected',
  rate_limit: 'is refused for its rate',
}

function reasonOf(rulesets: Simulation['rulesets'], decision: Simulation['decision']): string {
  const last = rulesets.find(({ ends }) => ends)
  if (last === undefined) return 'No ruleset decides this request: it is served'
  const matched = last.rules.filter(({ matched: has }) => has)
  const rules = matched.map(({ name, conditions }) => {
    const texts = conditions.map(({ text, value }) => `${text} (${value === null ? 'absent' : `"${value}"`})`)
    return `the rule "${name}": ${texts.join(' and ')}`
  })
  return `The request ${verbs[decision]} by the ruleset "${last.name}", which it matches by ${rules.join('; ')}`.slice(
    0,
    4000,
  )
}
