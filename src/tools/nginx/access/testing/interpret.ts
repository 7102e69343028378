import { isWithin } from '../../../../host/networks.ts'
import type { AccessCondition, AccessRules, AccessRuleset } from '../rules.ts'

/** A request as rules see it. */
export interface PlainRequest {
  readonly method: string
  /** Decoded and normalised. */
  readonly path: string
  readonly query: string
  readonly host: string
  readonly address: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: Readonly<Record<string, string>>
  readonly country?: string | undefined
}

const operators: Readonly<Record<string, (value: string, wanted: string) => boolean>> = {
  exists: () => true,
  equals: (value, wanted) => value === wanted,
  contains: (value, wanted) => value.includes(wanted),
  starts_with: (value, wanted) => value.startsWith(wanted),
  ends_with: (value, wanted) => value.endsWith(wanted),
  matches: (value, wanted) => new RegExp(wanted).test(value),
}

/** Returns the id of the ruleset that decides a request, evaluated without nginx; undefined if none does. */
export function decidedBy({ rulesets, groups }: AccessRules, request: PlainRequest): string | undefined {
  const holds = holding(groups, request)
  const matches = ({ rules, combine }: AccessRuleset) => {
    const own = rules.filter(({ conditions }) => conditions.length > 0)
    if (own.length === 0) return false
    const isMatch = ({ conditions }: (typeof own)[number]) => conditions.every(holds)
    return combine === 'any' ? own.some(isMatch) : own.every(isMatch)
  }
  return rulesets.find((each) => each.does.action !== 'log' && matches(each))?.id
}

/** What a log tells of a ruleset: whether it matches a request, an earlier one decides it, or the log tells too little. */
export type Told = 'matched' | 'earlier' | 'unknown' | 'passed'

/** Returns what a log tells that has none of these fields. All actions but `log` are taken to end the evaluation. */
export function toldBy(
  { rulesets, groups }: AccessRules,
  id: string,
  { request, lacks }: { readonly request: PlainRequest; readonly lacks: (field: string) => boolean },
): Told {
  const holds = holding(groups, request)
  const known = (condition: AccessCondition) => (lacks(condition.field) ? undefined : holds(condition))
  const every = (all: readonly (boolean | undefined)[]) =>
    all.includes(false) ? false : all.includes(undefined) ? undefined : true
  const some = (all: readonly (boolean | undefined)[]) =>
    all.includes(true) ? true : all.includes(undefined) ? undefined : false
  const matches = ({ rules, combine }: AccessRuleset) => {
    const own = rules.filter(({ conditions }) => conditions.length > 0)
    if (own.length === 0) return false
    return (combine === 'any' ? some : every)(own.map(({ conditions }) => every(conditions.map(known))))
  }
  let isEarlierKnown = true
  for (const each of rulesets) {
    const found = matches(each)
    if (each.id === id) {
      if (found === false) return 'passed'
      return found === true && isEarlierKnown ? 'matched' : 'unknown'
    }
    if (each.does.action === 'log') continue
    if (found === true) return isEarlierKnown ? 'earlier' : 'unknown'
    if (found === undefined) isEarlierKnown = false
  }
  return 'passed'
}

const holding =
  (groups: AccessRules['groups'], request: PlainRequest) =>
  ({ field, operator, value, negate }: AccessCondition): boolean => {
    const found = valueOf(request, field)
    const wanted = value ?? ''
    const networks = operator === 'in_group' ? (groups.get(wanted) ?? []) : [wanted]
    const isFulfilled =
      field === 'ip' && operator !== 'exists'
        ? isWithin(request.address, networks)
        : found !== undefined && operators[operator]!(found, wanted)
    return isFulfilled !== negate
  }

function valueOf(request: PlainRequest, field: string): string | undefined {
  const [name = '', argument = ''] = field.split(':')
  if (name === 'header') return request.headers[argument.toLowerCase()]
  if (name === 'cookie') return request.cookies[argument]
  if (name === 'user_agent') return request.headers['user-agent']
  if (name === 'referer') return request.headers['referer']
  if (name === 'query') return request.query === '' ? undefined : request.query
  if (name === 'ip') return request.address
  if (name === 'country') return request.country
  return { path: request.path, host: request.host, method: request.method }[name]
}
