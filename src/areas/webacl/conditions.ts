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

/** Returns a condition in its full form, or refuses one that could never be evaluated. */
export function checkedCondition(
  { field, operator, value = null, negate = false }: ConditionDraft,
  { config: { groups }, countries }: Checking,
): Condition {
  const [name = '', ...rest] = field.split(':')
  const argument = rest.join(':')
  const allowed = operatorsOf[name]
  if (allowed === undefined) throw ConditionInvalid(`field: must be one of ${fields}`)
  const isNamed = name === 'header' || name === 'cookie'
  if (isNamed && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(argument))
    throw ConditionInvalid(
      `field: must be ${name}:<name>, such as ${name}:${isNamed && name === 'header' ? 'accept' : 'session'}`,
    )
  if (!isNamed && rest.length > 0) throw ConditionInvalid(`field: must be ${name}, without a name`)
  if (name === 'country' && countries.reason !== null)
    throw ConditionInvalid(`field: country needs a database of countries: ${countries.reason}`)
  if (!allowed.includes(operator))
    throw ConditionInvalid(`operator: must be one of ${allowed.join(', ')} for ${name}`)
  if (operator === 'exists') return { field, operator, value: null, negate }
  if (value === null || value === '') throw ConditionInvalid(`value: is required for ${operator}`)
  const fault = faultOf(name, operator, value, groups)
  if (fault !== undefined) throw ConditionInvalid(`value: ${fault}`)
  return { field, operator, value: name === 'country' ? value.toUpperCase() : value, negate }
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
