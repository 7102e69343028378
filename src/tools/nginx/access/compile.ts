import { hexBounds, parseNetwork } from '../../../host/networks.ts'
import type { Encodable } from './encoding.ts'
import type { AccessCondition, AccessRules, AccessRuleset } from './rules.ts'

/** Compiles rules to the data that the Lua module evaluates. Rules without conditions and rulesets without rules match nothing. */
export function compileRules(rules: AccessRules): Encodable {
  const sets = new AddressSets(rules.groups, rules.countries)
  const rulesets = rules.rulesets
    .map((each) => compileRuleset(each, sets))
    .filter(({ rules: own }) => own.length > 0)
  return {
    owner: rules.owner,
    key: rules.key,
    counts: rules.rulesets.some((set) => set.rules.some((rule) => rule.conditions.some(isRate))),
    rulesets,
    sets: sets.all,
  }
}

const isRate = ({ field }: AccessCondition): boolean => field === 'request_rate'

function compileRuleset({ id, does, combine, websiteIds, rules }: AccessRuleset, sets: AddressSets) {
  const { action, ...options } = does
  return {
    id,
    action,
    options: Object.fromEntries(Object.entries(options).map(([key, value]) => [key, value ?? undefined])),
    combine,
    sites: websiteIds ?? undefined,
    rules: rules
      .filter(({ conditions }) => conditions.length > 0)
      .map((rule) => ({
        id: rule.id,
        conditions: rule.conditions.map((each) => compileCondition(each, sets)),
      })),
  }
}

function compileCondition({ field, operator, value, negate }: AccessCondition, sets: AddressSets) {
  const [name = '', ...argument] = field.split(':')
  const common = {
    f: name,
    a: argument.length === 0 ? undefined : argumentOf(name, argument.join(':')),
    n: negate || undefined,
  }
  const text = value ?? ''
  if (name === 'country')
    return { ...common, o: 'within', s: sets.ofCountry(operator === 'exists' ? '*' : text) }
  if (operator === 'in_group') return { ...common, o: 'within', s: sets.ofGroup(text) }
  if (name === 'ip' && operator !== 'exists') return { ...common, o: 'within', s: sets.of([text]) }
  if (operator === 'greater_than') return { ...common, o: operator, v: Number(text) }
  // host names have no case
  if (name === 'host' && operator === 'matches') return { ...common, o: operator, v: text, i: true }
  return { ...common, o: operator, v: name === 'host' ? text.toLowerCase() : text }
}

/** Names of headers have no case. */
const argumentOf = (field: string, argument: string): string =>
  field === 'header' ? argument.toLowerCase() : argument

/** The address sets of an owner, each compiled once. */
class AddressSets {
  readonly all: { readonly v4: string; readonly v6: string }[] = []
  readonly #groups: ReadonlyMap<string, readonly string[]>
  readonly #countries: AccessRules['countries']
  readonly #compiled = new Map<string, number>()

  constructor(groups: ReadonlyMap<string, readonly string[]>, countries: AccessRules['countries']) {
    this.#groups = groups
    this.#countries = countries
  }

  ofGroup(name: string): number {
    return this.#once(`group ${name}`, () => this.of(this.#groups.get(name) ?? []))
  }

  ofCountry(code: string): number {
    return this.#once(`country ${code}`, () =>
      this.all.push(this.#countries?.get(code) ?? { v4: '', v6: '' }),
    )
  }

  #once(key: string, make: () => number): number {
    const known = this.#compiled.get(key)
    if (known !== undefined) return known
    const position = make()
    this.#compiled.set(key, position)
    return position
  }

  /** Returns the position of a new set, as Lua counts. */
  of(entries: readonly string[]): number {
    return this.all.push({ v4: rangesOf(entries, 'ipv4'), v6: rangesOf(entries, 'ipv6') })
  }
}

/** Renders the networks of one family as sorted ranges that do not overlap, in hexadecimal digits without separators. */
function rangesOf(entries: readonly string[], family: 'ipv4' | 'ipv6'): string {
  const ranges = entries
    .map(parseNetwork)
    .filter((network) => network !== undefined)
    .filter((network) => network.family === family)
    .map(hexBounds)
    .toSorted((one, other) => (one.first < other.first ? -1 : 1))
  const merged: { first: string; last: string }[] = []
  for (const range of ranges) {
    const previous = merged.at(-1)
    if (previous === undefined || range.first > previous.last) merged.push({ ...range })
    else if (range.last > previous.last) previous.last = range.last
  }
  return merged.map(({ first, last }) => `${first}${last}`).join('')
}
