import Type, { type Static } from 'typebox'
import { OneOf, Prose, Text } from '../../../core/schemas.ts'
import { type ActionOptions, actions, operators, type Rule, type Ruleset } from '../model.ts'

/** The fields of all actions; the form shows those of the chosen one. */
export const RulesetForm = Type.Object({
  name: Text(200, { minLength: 1, expects: 'a name' }),
  action: OneOf(actions, { default: 'block' }),
  block_status: Type.Integer({ minimum: 400, maximum: 503, default: 403 }),
  page: Type.Optional(Prose(20_000)),
  redirect_status: Type.Integer({ minimum: 301, maximum: 308, default: 302 }),
  url: Type.Optional(Text(2000)),
  requests: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 60 }),
  hours: Type.Integer({ minimum: 1, maximum: 720, default: 24 }),
  combine: OneOf(['any', 'all'], { default: 'any' }),
  enabled: Type.Boolean({ default: true }),
  only_this: Type.Boolean({ default: false }),
  closed: Type.Boolean({ default: false }),
  description: Type.Optional(Text(1000)),
})
export type RulesetForm = Static<typeof RulesetForm>

const isOf =
  (action: Ruleset['action']) =>
  ({ action: chosen }: Readonly<Record<string, unknown>>) =>
    chosen === action

export const actionLabels: Readonly<Record<Ruleset['action'], string>> = {
  allow: 'Allow',
  block: 'Block',
  log: 'Log',
  challenge: 'Challenge',
  redirect: 'Redirect',
  rate_limit: 'Rate limit',
}

export const rulesetText = {
  name: { label: 'Name' },
  action: { label: 'Action', labels: actionLabels },
  block_status: { label: 'Status', when: isOf('block') },
  page: {
    label: 'Page',
    hint: 'HTML; leave blank for the error page of the website',
    rows: 4,
    when: isOf('block'),
  },
  redirect_status: { label: 'Status of the redirect', when: isOf('redirect') },
  url: { label: 'Target', hint: 'A path, or a URL with http:// or https://', when: isOf('redirect') },
  requests: { label: 'Requests per minute and address', when: isOf('rate_limit') },
  hours: { label: 'Hours until the next challenge', when: isOf('challenge') },
  combine: { label: 'Rules', labels: { any: 'One rule must match', all: 'All rules must match' } },
  enabled: { label: 'Enabled' },
  only_this: {
    label: 'Only the chosen website',
    hint: 'Otherwise all websites of the owner; an edited ruleset keeps the websites that it has',
  },
  closed: { label: 'Answer 503 if the rules cannot be read' },
  description: { label: 'Description' },
}

/** Returns what the form asks for, without the fields of other actions. A ruleset of certain websites keeps them. */
export function bodyOfRuleset(form: RulesetForm, website_id: number, former: Ruleset['website_ids'] = null) {
  const { name, action, combine, enabled, description = '' } = form
  return {
    website_id,
    name,
    description,
    action,
    action_options: { ...optionsOf(form), on_failure: form.closed ? ('closed' as const) : ('open' as const) },
    combine,
    enabled,
    website_ids: form.only_this ? (former ?? [website_id]) : null,
  }
}

function optionsOf(form: RulesetForm): ActionOptions {
  const { action, page = '', url = '' } = form
  if (action === 'block') return { status: form.block_status, page: page === '' ? null : page }
  if (action === 'redirect') return { status: form.redirect_status, url }
  if (action === 'rate_limit') return { requests: form.requests }
  return action === 'challenge' ? { hours: form.hours } : {}
}

/** Returns what the form shows for a ruleset. */
export function formOfRuleset({ action_options: options, ...ruleset }: Ruleset): RulesetForm {
  const { name, action, combine, enabled, description, website_ids } = ruleset
  return {
    name,
    action,
    block_status: action === 'block' ? (options.status ?? 403) : 403,
    page: options.page ?? '',
    redirect_status: action === 'redirect' ? (options.status ?? 302) : 302,
    url: options.url ?? '',
    requests: options.requests ?? 60,
    hours: options.hours ?? 24,
    combine,
    enabled,
    only_this: website_ids !== null,
    closed: options.on_failure === 'closed',
    description,
  }
}

export const RuleForm = Type.Object({
  name: Text(200, { minLength: 1, expects: 'a name' }),
  enabled: Type.Boolean({ default: true }),
  conditions: Type.Array(
    Type.Object({
      field: Text(110, { minLength: 1, default: 'path', expects: 'a field such as path or header:accept' }),
      operator: OneOf(operators, { default: 'starts_with' }),
      value: Type.Optional(Text(1000)),
      negate: Type.Boolean({ default: false }),
    }),
  ),
})
export type RuleForm = Static<typeof RuleForm>

export const ruleText = {
  name: { label: 'Name' },
  enabled: { label: 'Enabled' },
  conditions: {
    label: 'Conditions',
    hint: 'All must hold',
    first: [{ field: 'path', operator: 'starts_with', value: '', negate: false }],
  },
  'conditions.field': {
    label: 'Field',
    hint: 'ip, country, path, query, host, method, user_agent, referer, header:<name>, cookie:<name> or request_rate',
  },
  'conditions.operator': {
    label: 'Operator',
    labels: {
      equals: 'equals',
      contains: 'contains',
      starts_with: 'starts with',
      ends_with: 'ends with',
      matches: 'matches',
      in_group: 'in group',
      in_cidr: 'in network',
      exists: 'exists',
      greater_than: 'greater than',
    },
  },
  'conditions.value': { label: 'Value' },
  'conditions.negate': { label: 'Negate' },
}

/** Returns what the form asks for. */
export function bodyOfRule({ name, enabled, conditions }: RuleForm, website_id: number) {
  return {
    website_id,
    name,
    enabled,
    conditions: conditions.map(({ value = '', ...condition }) => ({
      ...condition,
      value: value === '' ? null : value,
    })),
  }
}

/** Returns what the form shows for a rule. */
export const formOfRule = ({ name, enabled, conditions }: Rule): RuleForm => ({
  name,
  enabled,
  conditions: conditions.map(({ value, ...condition }) => ({ ...condition, value: value ?? '' })),
})

/** Returns ids with one of them moved to another position. */
export function movedTo(ids: readonly string[], from: number, to: number): string[] {
  const id = ids[from]
  return id === undefined ? [...ids] : ids.toSpliced(from, 1).toSpliced(to, 0, id)
}
