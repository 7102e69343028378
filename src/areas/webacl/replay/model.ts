import Type, { type Static } from 'typebox'
import { OneOf, Optional, Prose, Text } from '../../../core/schemas.ts'
import { actions, limits, ofWebsite, RuleId, RulesetId } from '../model.ts'

/** How much one replay reads. */
export const replayLimits = {
  lines: 1_000_000,
  bytes: 512 * 1024 * 1024,
  ms: 600_000,
  websites: 1000,
  examples: 3,
  fields: 100,
} as const

export const ReplayDraft = Type.Object({
  ...ofWebsite,
  lines: Optional(
    Type.Integer({
      minimum: 1,
      maximum: replayLimits.lines,
      description: 'The most lines, from the end of the logs of all websites together; 100000 by default',
      expects: 'a number of lines from 1 to 1000000',
    }),
  ),
})
export type ReplayDraft = Static<typeof ReplayDraft>

/** What the stored job has. */
export const ReplayInput = Type.Object({
  website_id: Type.Integer(),
  ruleset_id: Type.String(),
  lines: Type.Integer(),
})

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const Moment = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

export const ReplayExample = Type.Object({
  domain: Text(253, { description: 'Website' }),
  at: Moment,
  address: Text(45, { description: 'Address of the visitor' }),
  method: Text(40, { description: 'Method' }),
  path: Prose(300, { description: 'Path as the rules see it, without the query' }),
  status: Type.Integer({ minimum: 0, maximum: 999, description: 'Status of the answer' }),
  user_agent: Type.Union([Prose(300), Type.Null()]),
})
export type ReplayExample = Static<typeof ReplayExample>
const Examples = Type.Array(ReplayExample, {
  maxItems: replayLimits.examples,
  description: 'The first of these lines',
})

export const Replay = Type.Object({
  ruleset_id: RulesetId,
  name: Text(200, { description: 'Name of the ruleset' }),
  action: OneOf(actions, { description: 'What requests that match would get' }),
  from: Moment,
  to: Moment,
  websites: Count('Number of websites whose logs were read'),
  lines: Count('Number of requests in them'),
  matched: Count('Requests that the ruleset matches'),
  decided_earlier: Count('Requests that an earlier ruleset decides'),
  undecidable: Count('Requests of which the log does not tell enough'),
  unreadable: Count('Lines that are no requests which rules see'),
  rules: Type.Array(
    Type.Object({
      rule_id: RuleId,
      name: Text(200),
      matched: Count('Requests that it matches'),
      examples: Examples,
    }),
    { maxItems: limits.rules, description: 'In the order of the ruleset' },
  ),
  missing: Type.Array(
    Type.Object({
      field: Text(200, {
        description: 'What the log lacks, or an earlier action whose outcome it does not tell',
      }),
      lines: Count('Requests that cannot be decided without it'),
      examples: Examples,
    }),
    { maxItems: replayLimits.fields, description: 'Why requests are undecidable, the most frequent first' },
  ),
  cut_by: Type.Union([OneOf(['lines', 'bytes', 'time']), Type.Null()], {
    description: 'The limit beyond which older or further lines were left out; null if all were read',
  }),
})
export type Replay = Static<typeof Replay>

export const ReplayReply = Type.Object({ replay: Replay })

export const ReplayEvent = Type.Object({
  type: OneOf(['progress', 'done', 'error'], { description: 'Kind of event' }),
  message: Prose(2000, { description: 'What it is doing, or why it failed' }),
  percent: Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.Null()], {
    description: 'Share of the bytes that were read; null if unknown',
  }),
  replay: Type.Union([Replay, Type.Null()], { description: 'What would have happened, at the end' }),
})
export type ReplayEvent = Static<typeof ReplayEvent>
