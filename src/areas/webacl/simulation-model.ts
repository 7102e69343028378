import Type, { type Static } from 'typebox'
import { OneOf, Optional, Text } from '../../core/schemas.ts'
import { limits, ofWebsite, RuleId, RulesetId } from './model.ts'

export const SimulationDraft = Type.Object({
  ...ofWebsite,
  address: Text(100, { description: 'Address of the visitor' }),
  method: Optional(
    Type.String({
      maxLength: 20,
      pattern: '^[A-Z]+$',
      description: 'GET by default',
      expects: 'a method in upper case',
    }),
  ),
  url: Optional(
    Type.String({
      maxLength: 4000,
      pattern: '^/[!-~]*$',
      description: 'Path and query as a browser sends them; / by default',
      expects:
        'a path of at most 4000 characters that begins with /, with percent escapes for other than ASCII characters',
    }),
  ),
  host: Optional(Text(253, { description: 'Host name; that of the website by default' })),
  headers: Optional(
    Type.Array(
      Type.Object({
        name: Type.String({
          maxLength: 100,
          pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
          expects: 'a header name',
        }),
        value: Type.String({
          maxLength: 2000,
          pattern: '^[ -~]*$',
          expects: 'at most 2000 printable ASCII characters',
        }),
      }),
      {
        maxItems: 50,
        description: 'Further headers of the request',
        expects: 'a list of at most 50 headers, each { name, value }',
      },
    ),
  ),
  request_rate: Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000_000,
      description: 'Requests of the address within the minute',
      expects: 'a number from 0 to 10000000',
    }),
  ),
  challenge_passed: Optional(Type.Boolean({ description: 'Whether the visitor has passed a challenge' })),
})
export type SimulationDraft = Static<typeof SimulationDraft>

const SimulatedRule = Type.Object({
  rule_id: RuleId,
  name: Text(200),
  matched: Type.Boolean(),
  conditions: Type.Array(
    Type.Object({
      index: Type.Integer({ minimum: 0, description: 'Position of the condition' }),
      text: Text(1500, { description: 'The condition in words' }),
      matched: Type.Boolean(),
      value: Type.Union([Text(300), Type.Null()], { description: 'What the request has; null if absent' }),
      problem: Type.Union([Text(500), Type.Null()], { description: 'Why it could not be evaluated' }),
    }),
    { maxItems: limits.conditions, description: 'Up to the first that does not hold' },
  ),
})
export const Simulation = Type.Object({
  decision: OneOf(['serve', 'block', 'challenge', 'redirect', 'rate_limit'], {
    description: 'What would happen to the request',
  }),
  ruleset_id: Type.Union([RulesetId, Type.Null()], {
    description: 'The ruleset that decided; null if none did',
  }),
  reason: Text(4000, { description: 'Which condition of which rule matched which value' }),
  path: Text(8000, { description: 'The path as the rules see it' }),
  rulesets: Type.Array(
    Type.Object({
      ruleset_id: RulesetId,
      name: Text(200),
      matched: Type.Boolean(),
      ends: Type.Boolean({ description: 'Whether it decided' }),
      rules: Type.Array(SimulatedRule, { maxItems: limits.rules }),
    }),
    { maxItems: limits.rulesets, description: 'What was evaluated, in order' },
  ),
})
export type Simulation = Static<typeof Simulation>
