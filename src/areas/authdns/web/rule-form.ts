import Type, { type Static } from 'typebox'
import { OneOf, Text } from '../../../core/schemas.ts'
import { type RuleConfig, type RuleDraft, ruledTypes, ruleTypes, type SmartRule } from '../rules/model.ts'

const Address = Text(45, { expects: 'an IP address' })

/** The fields of all types of rules, beside one another as the form shows them. */
export const RuleForm = Type.Object({
  zone: Text(255, { minLength: 1, expects: 'a domain name' }),
  record_name: Text(1024, { minLength: 1, expects: 'a record name such as www' }),
  record_type: OneOf(ruledTypes, { default: 'A' }),
  rule_type: OneOf(ruleTypes, { default: 'weighted' }),
  targets: Type.Optional(
    Type.Array(
      Type.Object({ value: Address, weight: Type.Integer({ minimum: 1, maximum: 1000, default: 1 }) }),
    ),
  ),
  primary: Type.Optional(Address),
  backup: Type.Optional(Address),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  url: Type.Optional(Text(500)),
  text: Type.Optional(Text(200)),
  countries: Type.Optional(
    Type.Array(
      Type.Object({
        code: Text(2, { minLength: 2, expects: 'a code of two letters such as DE' }),
        address: Address,
      }),
    ),
  ),
  default: Type.Optional(Address),
  ttl: Type.Integer({ minimum: 1, maximum: 86_400, default: 60 }),
})
export type RuleForm = Static<typeof RuleForm>

const isOf =
  (type: RuleForm['rule_type']) =>
  ({ rule_type: chosen }: Readonly<Record<string, unknown>>) =>
    chosen === type

/** The texts of the form; a field appears with the type of rule that has it. */
export const ruleText = {
  zone: { label: 'Zone' },
  record_name: { label: 'Name', hint: 'Relative to the zone; @ for the zone itself' },
  record_type: { label: 'Record type' },
  rule_type: {
    label: 'Rule',
    labels: { geo: 'By country', weighted: 'By weight', failover: 'With a backup' },
  },
  targets: {
    label: 'Addresses',
    first: [{ value: '', weight: 1 }],
    when: isOf('weighted'),
  },
  'targets.value': { label: 'Address' },
  'targets.weight': { label: 'Weight' },
  primary: { label: 'Primary address', when: isOf('failover') },
  backup: { label: 'Backup address', hint: 'Answered while the check fails', when: isOf('failover') },
  port: { label: 'Port', hint: 'TCP port that must accept connections', when: isOf('failover') },
  url: { label: 'URL', hint: 'Instead of a port: it must answer with status 200', when: isOf('failover') },
  text: { label: 'Text', hint: 'That the answer of the URL must contain', when: isOf('failover') },
  countries: { label: 'Countries', first: [{ code: '', address: '' }], when: isOf('geo') },
  'countries.code': { label: 'Country' },
  'countries.address': { label: 'Address' },
  default: { label: 'Other countries', when: isOf('geo') },
  ttl: { label: 'TTL (seconds)' },
}

/** Returns the request that a form asks for, without the fields of other types of rules. */
export function bodyOfRule(form: RuleForm): RuleDraft {
  const { zone, record_name, record_type, rule_type } = form
  return { zone, record_name, record_type, rule_type, config: configOf(form) }
}

function configOf({ rule_type: type, ttl, ...form }: RuleForm): RuleConfig {
  if (type === 'weighted') return { targets: form.targets ?? [], ttl }
  if (type === 'geo') {
    const countries = (form.countries ?? []).map(
      ({ code, address }) => [code.toUpperCase(), address] as const,
    )
    return {
      countries: Object.fromEntries(countries),
      ...(form.default !== undefined && { default: form.default }),
      ttl,
    }
  }
  const { primary, backup, port, url, text } = form
  const check = {
    ...(port !== undefined && { port }),
    ...(url !== undefined && { url }),
    ...(text !== undefined && { text }),
  }
  return { ...(primary !== undefined && { primary }), ...(backup !== undefined && { backup }), check, ttl }
}

/** Returns what the form shows for a rule. */
export function formOfRule({ config, ...rule }: SmartRule): RuleForm {
  const { check = {}, countries, ttl = 60, ...rest } = config
  return {
    zone: rule.zone,
    record_name: rule.record_name,
    record_type: ruledTypes.find((type) => type === rule.record_type) ?? 'A',
    rule_type: ruleTypes.find((type) => type === rule.rule_type) ?? 'weighted',
    ...rest,
    ...check,
    ...(countries && {
      countries: Object.entries(countries).map(([code, address]) => ({ code, address })),
    }),
    ttl,
  }
}
