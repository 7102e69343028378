import { isAddress, isV4 } from '../../../host/fetch/index.ts'
import type { Check, Steering } from '../../../tools/powerdns/index.ts'
import { RuleInvalid } from '../problems.ts'
import type { RuleConfig, ruledTypes, ruleTypes } from './model.ts'

/** The type of a rule, and that of the records that it answers with. */
export interface RuleForm {
  readonly rule: (typeof ruleTypes)[number]
  readonly type: (typeof ruledTypes)[number]
}

const fieldsOf = {
  weighted: ['targets'],
  failover: ['primary', 'backup', 'check'],
  geo: ['countries', 'default'],
} as const

/** Checks the configuration of a rule and returns how it chooses an answer. */
export function steeringOf({ rule, type }: RuleForm, config: RuleConfig): Steering {
  const allowed: ReadonlySet<string> = new Set([...fieldsOf[rule], 'ttl'])
  const surplus = Object.keys(config).find((field) => !allowed.has(field))
  if (surplus !== undefined) throw RuleInvalid(`config.${surplus}: a rule of type ${rule} does not have it`)
  const address = (value: string | undefined, field: string) => addressOf(type, value, field)
  if (rule === 'weighted') {
    const { targets = [] } = config
    if (targets.length === 0) throw RuleInvalid('config.targets: must have an address with its weight')
    return {
      kind: 'weighted',
      targets: targets.map(({ value, weight }, at) => ({
        value: address(value, `config.targets[${at}].value`),
        weight,
      })),
    }
  }
  if (rule === 'failover')
    return {
      kind: 'failover',
      primary: address(config.primary, 'config.primary'),
      backup: address(config.backup, 'config.backup'),
      check: checkOf(config.check),
    }
  const countries = Object.entries(config.countries ?? {})
  if (countries.length === 0) throw RuleInvalid('config.countries: must name an address for a country')
  return {
    kind: 'geo',
    countries: Object.fromEntries(
      countries.map(([code, value]) => [code, address(value, `config.countries.${code}`)]),
    ),
    fallback: address(config.default, 'config.default'),
  }
}

function addressOf(type: RuleForm['type'], value: string | undefined, field: string): string {
  if (value === undefined || !isAddress(value) || isV4(value) !== (type === 'A') || value.includes('%'))
    throw RuleInvalid(`${field}: must be an ${type === 'A' ? 'IPv4' : 'IPv6'} address`)
  return value
}

function checkOf({ port, url, text }: NonNullable<RuleConfig['check']> = {}): Check {
  if ((port === undefined) === (url === undefined))
    throw RuleInvalid('config.check: must have either a port or a url')
  if (port !== undefined) {
    if (text !== undefined) throw RuleInvalid('config.check.text: only the answer of a url can contain it')
    return { port }
  }
  const parsed = URL.parse(url ?? '')
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== '')
    throw RuleInvalid('config.check.url: must be a URL such as https://www.example.com/health')
  return { url: parsed.href, ...(text !== undefined && { text }) }
}
