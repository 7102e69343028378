import { parseNetwork } from '../../host/networks.ts'
import type { AccessConfig } from './config/model.ts'
import type { Condition, ConditionDraft, Countries } from './model.ts'
import { ConditionInvalid } from './problems.ts'

const texts = ['equals', 'contains', 'starts_with', 'ends_with', 'matches', 'exists'] as const
const operatorsOf: Readonly<Record<string, readonly Condition['operator'][]>> = {
  ip: ['equals', 'in_cidr', 'in_group', 'exists'],
  country: ['equals', 'exists'],
  host: texts,
  path: texts,
  query: texts,
  method: texts,
  header: texts,
  cookie: texts,
  user_agent: texts,
  referer: texts,
  request_rate: ['greater_than'],
}
/** What decides whether a condition can be evaluated. */
export interface Checking {
  readonly config: Pick<AccessConfig, 'groups'>
  readonly countries: Pick<Countries, 'reason'>
}

const fields = Object.keys(operatorsOf)
  .map((field) => (field === 'header' || field === 'cookie' ? `${field}:<name>` : field))
  .join(', ')

/** Returns conditions in their full form, or names the first that could never be evaluated; `at` is their place in the request. */
export const checkedConditions = (
  drafts: readonly ConditionDraft[],
  checking: Checking,
  at = '',
): Condition[] => drafts.map((each, index) => checkedCondition(each, checking, `${at}conditions.${index}.`))

/** Returns a condition in its full form, or refuses one that could never be evaluated. */
export function checkedCondition(draft: ConditionDraft, checking: Checking, at = ''): Condition {
  const { field, operator, value = null, negate = false } = draft
  const [name = ''] = field.split(':', 1)
  const fault = faultOfField(field, name, checking) ?? faultOfComparison(name, draft, checking)
  if (fault !== undefined) throw ConditionInvalid(`${at}${fault}`)
  if (operator === 'exists' || value === null) return { field, operator, value: null, negate }
  return { field, operator, value: name === 'country' ? value.toUpperCase() : value, negate }
}

function faultOfField(field: string, name: string, { countries }: Checking): string | undefined {
  if (!Object.hasOwn(operatorsOf, name)) return `field: must be one of ${fields}`
  if (name === 'header' || name === 'cookie')
    return /^[^:]+:[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(field)
      ? undefined
      : `field: must be ${name}:<name>, such as ${name}:${name === 'header' ? 'accept' : 'session'}`
  if (field !== name) return `field: must be ${name}, without a name`
  if (name === 'country' && countries.reason !== null)
    return `field: country needs a database of countries: ${countries.reason}`
  return undefined
}

function faultOfComparison(
  name: string,
  { operator, value = null }: ConditionDraft,
  { config: { groups } }: Checking,
): string | undefined {
  const allowed = operatorsOf[name] ?? []
  if (!allowed.includes(operator)) return `operator: must be one of ${allowed.join(', ')} for ${name}`
  if (operator === 'exists') return undefined
  if (value === null || value === '') return `value: is required for ${operator}`
  const fault = faultOf(name, operator, value, groups)
  return fault && `value: ${fault}`
}

function faultOf(
  field: string,
  operator: Condition['operator'],
  value: string,
  groups: AccessConfig['groups'],
): string | undefined {
  if (operator === 'in_group')
    return groups.some(({ name }) => name === value) ? undefined : `there is no group named "${value}"`
  if (operator === 'in_cidr')
    return parseNetwork(value) === undefined ? 'must be a network such as 192.0.2.0/24' : undefined
  if (field === 'ip')
    return value.includes('/') || parseNetwork(value) === undefined ? 'must be an address' : undefined
  if (field === 'country')
    return /^[a-z]{2}$/i.test(value) ? undefined : 'must be an ISO code of a country such as DE'
  if (operator === 'greater_than')
    return /^[1-9]\d{0,6}$/.test(value) ? undefined : 'must be a number of requests from 1 to 9999999'
  return undefined
}
