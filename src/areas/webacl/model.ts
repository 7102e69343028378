import Type, { type Static, type TSchema } from 'typebox'
import { Id, OneOf, Optional, Text } from '../../core/schemas.ts'

export const actions = ['allow', 'block', 'log', 'challenge', 'redirect', 'rate_limit'] as const
export const operators = [
  'equals',
  'contains',
  'starts_with',
  'ends_with',
  'matches',
  'in_group',
  'in_cidr',
  'exists',
  'greater_than',
] as const

/** The limits of one owner. */
export const limits = { rulesets: 200, rules: 200, conditions: 50, groups: 500, entries: 100_000 } as const

const plain = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'
/** Text without control characters. */
export const PlainText = (maxLength: number, description: string) =>
  Type.String({
    maxLength,
    pattern: plain,
    description,
    expects: `text of at most ${maxLength} characters without control characters`,
  })
/** A list, whose limit is told where it is exceeded. */
const listOf = <Item extends TSchema>(item: Item, maxItems: number, of: string, description: string) =>
  Type.Array(item, { maxItems, description, expects: `a list of at most ${maxItems} ${of}` })
const Title = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: plain,
    description,
    expects: 'a name of 1 to 200 characters without control characters',
  })
/** A name that may be a part of a path. */
export const Name = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f/]+$',
    description,
    expects: 'a name of 1 to 200 characters without control characters and slashes',
  })

const Website = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'A website; the rules are those of its owner',
  expects: 'the id of a website',
})
/** What every endpoint but those of the module takes. */
export const ofWebsite = { website_id: Website }
export const OfWebsite = Type.Object(ofWebsite)

export const RulesetId = Text(40, { minLength: 1, description: 'Id of the ruleset' })
export const RuleId = Text(60, {
  minLength: 1,
  description: 'Id of the rule; `lib:` begins that of a library rule',
})
export const RulesetPath = Type.Object({ id: RulesetId })
export const RulePath = Type.Object({ id: RuleId })
export const ConditionPath = Type.Object({
  index: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Position, from 0',
    expects: 'a position, counted from 0',
  }),
})
export const OfRule = Type.Object({ ...ofWebsite, rule_id: RuleId })
export const ConditionDraft = Type.Object({
  field: PlainText(
    110,
    'ip, country, host, path, query, method, header:<name>, cookie:<name>, user_agent, referer or request_rate',
  ),
  operator: OneOf(operators, { description: 'How the value is compared' }),
  value: Optional(
    Type.Union([PlainText(1000, 'What it is compared with'), Type.Null()], {
      description:
        'An address or a network, an ISO code of a country, the name of a group, a number, text or a regular expression; null for exists',
      expects: 'text of at most 1000 characters without control characters, or null',
    }),
  ),
  negate: Optional(
    Type.Boolean({ description: 'Whether the condition holds where the comparison does not' }),
  ),
})
export type ConditionDraft = Static<typeof ConditionDraft>

export const Condition = Type.Required(ConditionDraft)
export type Condition = Static<typeof Condition>

const Conditions = Type.Array(Condition, { maxItems: limits.conditions, description: 'All must hold' })
const conditionDrafts = Optional(
  listOf(
    ConditionDraft,
    limits.conditions,
    'conditions',
    'All must hold; a rule without any matches nothing',
  ),
)

const ruleDraft = {
  name: Optional(Title('Name of the rule')),
  enabled: Optional(Type.Boolean({ description: 'Whether it is evaluated; true by default' })),
  conditions: conditionDrafts,
  library: Optional(
    Text(60, { description: 'Id of a library rule to use instead of conditions of its own' }),
  ),
}
export const RuleDraft = Type.Object(ruleDraft)
export type RuleDraft = Static<typeof RuleDraft>
export const NewRule = Type.Object({ ...ofWebsite, ...ruleDraft })
export const RuleEdit = Type.Object({
  ...ofWebsite,
  name: ruleDraft.name,
  enabled: ruleDraft.enabled,
  conditions: conditionDrafts,
})
export type RuleEdit = Static<typeof RuleEdit>
export const NewCondition = Type.Object({ ...ofWebsite, ...ConditionDraft.properties })

export const Rule = Type.Object({
  id: RuleId,
  name: Text(200, { description: 'Name' }),
  enabled: Type.Boolean({ description: 'Whether it is evaluated' }),
  position: Type.Integer({ minimum: 0, description: 'Place in the ruleset, from 0' }),
  source: OneOf(['own', 'library'], { description: 'Whether all owners share its conditions' }),
  conditions: Conditions,
  hits: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Requests that it matched since nginx was started; null if nginx does not tell',
  }),
})
export type Rule = Static<typeof Rule>
export const Rules = Type.Object({ rules: Type.Array(Rule, { maxItems: limits.rules }) })

export const ActionOptions = Type.Object(
  {
    status: Optional(
      Type.Integer({
        minimum: 301,
        maximum: 503,
        description:
          'Of block: 400 to 451, 503, or 444 to close the connection. Of redirect: 301, 302, 303, 307 or 308',
        expects: 'a status from 301 to 503',
      }),
    ),
    page: Optional(
      Type.Union([Type.String({ maxLength: 20_000 }), Type.Null()], {
        description: 'HTML that block answers',
        expects: 'text of at most 20000 characters, or null',
      }),
    ),
    url: Optional(PlainText(2000, 'Where redirect leads: a path, or a URL with http:// or https://')),
    requests: Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'Of rate_limit: requests per minute and address',
        expects: 'a number from 1 to 1000000',
      }),
    ),
    hours: Optional(
      Type.Integer({
        minimum: 1,
        maximum: 720,
        description: 'Of challenge: how long it is passed',
        expects: 'a number of hours from 1 to 720',
      }),
    ),
    on_failure: Optional(
      OneOf(['open', 'closed'], {
        description: 'Whether websites are served if the rules cannot be read; the strictest ruleset decides',
      }),
    ),
  },
  { description: 'What the action needs' },
)
export type ActionOptions = Static<typeof ActionOptions>

const rulesetFields = {
  name: Title('Name of the ruleset'),
  description: PlainText(1000, 'What it is for'),
  action: OneOf(actions, { description: 'What happens to a request that matches' }),
  action_options: ActionOptions,
  combine: OneOf(['any', 'all'], { description: 'Whether one matching rule is enough' }),
  enabled: Type.Boolean({ description: 'Whether it is evaluated' }),
  website_ids: Type.Union([Type.Array(Id, { maxItems: 1000 }), Type.Null()], {
    description: 'The websites that it concerns; null for all of the owner',
    expects: 'a list of at most 1000 ids of websites, or null',
  }),
}
const optionalFields = {
  description: Optional(rulesetFields.description),
  action_options: Optional(rulesetFields.action_options),
  combine: Optional(rulesetFields.combine),
  enabled: Optional(rulesetFields.enabled),
  website_ids: Optional(rulesetFields.website_ids),
}
export const RulesetDraft = Type.Object({
  ...ofWebsite,
  name: rulesetFields.name,
  action: rulesetFields.action,
  ...optionalFields,
  rules: Optional(listOf(RuleDraft, limits.rules, 'rules', 'Its rules, in order')),
})
export type RulesetDraft = Static<typeof RulesetDraft>
export const RulesetEdit = Type.Object({
  ...ofWebsite,
  name: Optional(rulesetFields.name),
  action: Optional(rulesetFields.action),
  ...optionalFields,
})
export type RulesetEdit = Static<typeof RulesetEdit>

export const Ruleset = Type.Object({
  id: RulesetId,
  ...rulesetFields,
  position: Type.Integer({ minimum: 0, description: 'Place in the order of evaluation, from 0' }),
  pending: Type.Boolean({ description: 'Whether it differs from what nginx evaluates' }),
  rules: Type.Integer({ minimum: 0, description: 'Number of its rules' }),
  hits: Rule.properties.hits,
})
export type Ruleset = Static<typeof Ruleset>
export const Rulesets = Type.Object({ rulesets: Type.Array(Ruleset, { maxItems: limits.rulesets }) })

export const Order = Type.Object({
  ...ofWebsite,
  ids: listOf(RuleId, limits.rulesets, 'ids', 'Every id once, in the wanted order'),
})

export const LibraryRule = Type.Object({
  id: RuleId,
  name: Text(200, { description: 'Name' }),
  description: Text(1000, { description: 'What it matches' }),
  conditions: Conditions,
})
export type LibraryRule = Static<typeof LibraryRule>
export const Template = Type.Object({
  name: Text(200, { description: 'Name' }),
  description: Text(1000, { description: 'What it does' }),
  action: rulesetFields.action,
  action_options: ActionOptions,
  combine: rulesetFields.combine,
  rules: Type.Array(RuleDraft, { maxItems: 20, description: 'Its rules' }),
})
export type Template = Static<typeof Template>
export const Countries = Type.Object({
  available: Type.Boolean({ description: 'Whether conditions on countries can be evaluated' }),
  file: Type.Union([Text(4096), Type.Null()], { description: 'The file of the setting geoip_file' }),
  built_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When its maker built it',
  }),
  stale: Type.Boolean({ description: 'Whether that is more than 90 days ago' }),
  reason: Type.Union([Text(5000), Type.Null()], { description: 'Why they cannot; null if they can' }),
})
export type Countries = Static<typeof Countries>

export const Library = Type.Object({
  rules: Type.Array(LibraryRule, { maxItems: limits.rules, description: 'Rules that all owners share' }),
  templates: Type.Array(Template, { maxItems: 50, description: 'Ready rulesets to begin with' }),
  countries: Countries,
})

export const Pending = Type.Object({
  pending: Type.Boolean({
    description: 'Whether apply would change anything, or have nginx load rules that it could not load',
  }),
  diff: Type.String({ maxLength: 8_000_000, description: 'What it would change, as a unified diff' }),
  ruleset_id: Type.Union([RulesetId, Type.Null()], {
    description: 'A ruleset by which to apply, also one that was deleted; null if there is none',
  }),
  problems: Type.Array(Text(1000), { maxItems: 500, description: 'Why apply would be refused' }),
})
export type Pending = Static<typeof Pending>

export const Applied = Type.Object({
  rulesets: Type.Integer({ minimum: 0, description: 'Number of rulesets that nginx evaluates now' }),
  websites: Type.Integer({ minimum: 0, description: 'Number of websites of the owner' }),
})

export const ScriptModule = Type.Object({
  installed: Type.Boolean({ description: 'Whether the module is on this host' }),
  loaded: Type.Boolean({ description: "Whether nginx's configuration refers to it" }),
})
