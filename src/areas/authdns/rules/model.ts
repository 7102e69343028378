import Type, { type Static } from 'typebox'
import { Id, OneOf, Prose, Text, Time } from '../../../core/schemas.ts'

export const ruleTypes = ['geo', 'weighted', 'failover'] as const
export const ruledTypes = ['A', 'AAAA'] as const

const Address = Text(45, { description: 'Address that is answered', expects: 'an IP address' })

const Target = Type.Object({
  value: Address,
  weight: Type.Integer({ minimum: 1, maximum: 1000, default: 1, description: 'Share of the answers' }),
})

const Check = Type.Object({
  port: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 65_535, description: 'TCP port that must accept connections' }),
  ),
  url: Type.Optional(Text(500, { description: 'URL that must answer with status 200, instead of a port' })),
  text: Type.Optional(Text(200, { description: 'Text that the answer of the URL must contain' })),
})

/** The fields of all types of rules: weighted has targets, failover the next three, geo the last two. */
export const RuleConfig = Type.Object({
  targets: Type.Optional(
    Type.Array(Target, { maxItems: 50, description: 'weighted: addresses with their weights' }),
  ),
  primary: Type.Optional(Address),
  backup: Type.Optional(Address),
  check: Type.Optional(Check),
  countries: Type.Optional(
    Type.Record(Type.String({ pattern: '^[A-Z]{2}$' }), Address, {
      maxProperties: 250,
      description: 'geo: the address for each country, by its code of two letters',
    }),
  ),
  default: Type.Optional(Address),
  ttl: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 86_400, default: 60, description: 'Time to live, in seconds' }),
  ),
})
export type RuleConfig = Static<typeof RuleConfig>

const RecordName = Text(1024, {
  minLength: 1,
  description: 'Relative to the zone, or absolute with a final dot; @ for the zone itself',
  expects: 'a record name such as www',
})
const ZoneName = Text(255, { minLength: 1, description: 'Name of the zone', expects: 'a domain name' })
const RecordType = OneOf(ruledTypes, { default: 'A', description: 'A or AAAA' })
const RuleType = OneOf(ruleTypes, {
  description:
    'geo: by the country of the client; weighted: at random by weight; failover: a backup while the primary fails its check',
})

export const RuleDraft = Type.Object({
  zone: ZoneName,
  record_name: RecordName,
  record_type: Type.Optional(RecordType),
  rule_type: RuleType,
  config: Type.Optional(RuleConfig),
})
export type RuleDraft = Static<typeof RuleDraft>

export const RuleEdit = Type.Object({
  rule_type: Type.Optional(RuleType),
  config: Type.Optional(RuleConfig),
  enabled: Type.Optional(Type.Boolean({ description: 'False removes the record, and keeps the rule' })),
})
export type RuleEdit = Static<typeof RuleEdit>

export const GeoRecord = Type.Object({
  name: RecordName,
  type: Type.Optional(RecordType),
  countries: Type.Record(Type.String({ pattern: '^[A-Z]{2}$' }), Address, {
    maxProperties: 250,
    description: 'The address for each country, by its code of two letters',
  }),
  default: Address,
  ttl: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400, default: 60, description: 'In seconds' })),
})
export type GeoRecord = Static<typeof GeoRecord>

export const SmartRule = Type.Object({
  id: Id,
  zone: ZoneName,
  record_name: Text(255, { description: 'Absolute, with a final dot' }),
  record_type: Text(10),
  rule_type: Text(10),
  config: RuleConfig,
  enabled: Type.Boolean({ description: 'Whether the zone has the record' }),
  created_at: Time,
})
export type SmartRule = Static<typeof SmartRule>

export const RuleId = Type.Object({ id: Id })
export const RuleQuery = Type.Object({ zone: Type.Optional(ZoneName) })

export const GeoState = Type.Object({
  available: Type.Boolean({ description: 'Whether rules by country can be made' }),
  reason: Type.Union([Prose(500), Type.Null()], { description: 'Why not' }),
  file: Type.Union([Text(4096), Type.Null()], { description: 'The file of the setting geoip_file' }),
  built_at: Type.Union([Time, Type.Null()], { description: 'When the file was built' }),
  stale: Type.Boolean({ description: 'True if the file is older than 90 days' }),
})
export type GeoState = Static<typeof GeoState>

export const Simulation = Type.Object({
  zone: ZoneName,
  record_name: RecordName,
  record_type: Type.Optional(RecordType),
  address: Text(45, { minLength: 1, description: 'Address of the client', expects: 'an IP address' }),
})
export type Simulation = Static<typeof Simulation>

export const Simulated = Type.Object({
  code: Text(20, { description: 'NOERROR, NXDOMAIN, SERVFAIL, REFUSED or its number' }),
  answers: Type.Array(Text(45), { maxItems: 100, description: 'Addresses that the server answers' }),
  ttl: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'In seconds' }),
})
export type Simulated = Static<typeof Simulated>
