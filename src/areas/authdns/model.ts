import Type, { type Static } from 'typebox'
import { Id, Masked, OneOf, Prose, Revealed, Revision, Secret, Text, Time } from '../../core/schemas.ts'

export const AuthdnsConfig = Type.Object({
  installed: Type.Boolean({ description: 'Whether PowerDNS is set up by the panel' }),
  api_url: Type.Optional(Text(100, { description: 'Address of its API, on loopback' })),
  api_key: Type.Optional(Masked({ description: 'Key of its API' })),
  server_id: Type.Optional(Text(64, { description: 'Its name in the API' })),
  db_name: Type.Optional(Text(64, { description: 'Database of the zones in MariaDB' })),
})
export type AuthdnsConfig = Static<typeof AuthdnsConfig>

export const AuthdnsConfigDraft = Type.Object({
  api_url: Type.Optional(Text(100, { description: 'Address of its API: http://127.0.0.1 and a port' })),
  api_key: Type.Optional(Secret({ maxLength: 128, description: 'Key of its API' })),
  server_id: Type.Optional(Text(64, { description: 'Its name in the API: localhost' })),
})
export type AuthdnsConfigDraft = Static<typeof AuthdnsConfigDraft>

export const AuthdnsInstalled = Type.Object({
  success: Type.Literal(true),
  message: Text(500),
  api_key: Revealed({ description: 'Key of the API' }),
  db_name: Text(64, { description: 'Database of the zones in MariaDB' }),
})

export const AuthdnsStatus = Type.Object({
  installed: Type.Boolean({ description: 'Whether PowerDNS is installed and set up by the panel' }),
  running: Type.Boolean({ description: 'Whether its service runs' }),
  answering: Type.Boolean({ description: 'Whether its API answers' }),
  version: Type.Union([Text(100), Type.Null()], { description: 'Version of the package' }),
  reason: Type.Union([Prose(2000), Type.Null()], { description: 'Why it does not answer' }),
})
export type AuthdnsStatus = Static<typeof AuthdnsStatus>

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const AuthdnsStats = Type.Object({
  uptime_seconds: Count('Since the start of PowerDNS'),
  udp_queries: Count('Queries over UDP since the start'),
  tcp_queries: Count('Queries over TCP since the start'),
  udp_answers: Count('Answers over UDP since the start'),
  tcp_answers: Count('Answers over TCP since the start'),
  packet_cache_hits: Count('Answers from the packet cache since the start'),
  packet_cache_misses: Count('Answers that were not in the packet cache since the start'),
  query_cache_hits: Count('Lookups in the database that a cache spared since the start'),
  servfail_answers: Count('Queries that PowerDNS could not answer since the start'),
  latency_microseconds: Count('Average time of an answer'),
  zones: Count('Zones that it serves'),
})
export type AuthdnsStats = Static<typeof AuthdnsStats>

const ZoneName = Text(255, { minLength: 1, description: 'Name of the zone', expects: 'a domain name' })
const Serial = Type.Integer({ minimum: 0, maximum: 4_294_967_295, description: 'Serial of its SOA' })
export const ZoneKind = OneOf(['Native', 'Master', 'Slave'], {
  description:
    'Native: not replicated by DNS. Master: notifies its secondaries. Slave: transferred from masters. Without a kind, Master if this server is a primary, otherwise Native',
})
const Address = Text(100, { description: 'Address, with a port where it is not 53', expects: 'an address' })
const Addresses = Type.Array(Address, {
  maxItems: 16,
  description: 'Servers that a secondary zone is transferred from',
})

export const ZonePath = Type.Object({ zone: ZoneName })
export const Force = Type.Object({
  force: Type.Boolean({ default: false, description: 'Carries out a change that could take a zone offline' }),
})

export const ZoneItem = Type.Object({
  name: ZoneName,
  kind: Text(20, { description: 'Native, Master or Slave' }),
  serial: Serial,
  dnssec: Type.Boolean({ description: 'Whether it is signed' }),
  masters: Addresses,
})
export type ZoneItem = Static<typeof ZoneItem>

const contentLength = 70_000
export const DnsRecord = Type.Object({
  content: Prose(contentLength, { description: 'Data of the record, as in a zone file' }),
  disabled: Type.Optional(Type.Boolean({ default: false, description: 'Kept, and not served' })),
})
const Ttl = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  description: 'Time to live, in seconds',
  expects: 'a number of seconds from 0 to 2147483647',
})
const RecordName = Text(1024, {
  description: 'Relative to the zone, or absolute with a final dot; @ or empty for the zone itself',
})
const RecordType = Type.String({
  maxLength: 12,
  pattern: '^[A-Za-z][A-Za-z0-9]{0,11}$',
  description: 'Type of the records',
  expects: 'a type such as A or MX',
})

export const RecordSet = Type.Object({
  name: Text(1024, { description: 'Absolute, with a final dot' }),
  type: Text(12),
  ttl: Ttl,
  records: Type.Array(DnsRecord, { maxItems: 100_000 }),
})
export type RecordSet = Static<typeof RecordSet>

export const Zone = Type.Object({
  ...ZoneItem.properties,
  rrsets: Type.Array(RecordSet, { maxItems: 1_000_000, description: 'Its record sets' }),
})
export type Zone = Static<typeof Zone>

export const RecordSetDraft = Type.Object({
  name: RecordName,
  type: RecordType,
  ttl: Type.Optional(Ttl),
  changetype: Type.Optional(
    OneOf(['REPLACE', 'DELETE'], {
      default: 'REPLACE',
      description: 'REPLACE sets all records of the name and type',
    }),
  ),
  records: Type.Optional(Type.Array(DnsRecord, { maxItems: 2000, description: 'All records of the set' })),
})
export type RecordSetDraft = Static<typeof RecordSetDraft>

export const RecordsDraft = Type.Object({
  rrsets: Type.Array(RecordSetDraft, {
    minItems: 1,
    maxItems: 10_000,
    description: 'The sets to change',
    expects: 'a list of 1 to 10,000 record sets',
  }),
})

export const ZoneDraft = Type.Object({
  name: ZoneName,
  kind: Type.Optional(ZoneKind),
  masters: Type.Optional(Addresses),
  nameservers: Type.Optional(
    Type.Array(Text(255, { minLength: 1 }), {
      maxItems: 20,
      description: 'Host names of its name servers; ns1 in the zone if none is given',
    }),
  ),
  rrsets: Type.Optional(Type.Array(RecordSetDraft, { maxItems: 10_000, description: 'Further record sets' })),
})
export type ZoneDraft = Static<typeof ZoneDraft>

export const SimpleRecord = Type.Object({
  name: RecordName,
  type: RecordType,
  content: Prose(contentLength, { description: 'Data of the record, as in a zone file' }),
  ttl: Type.Optional(Ttl),
})
export type SimpleRecord = Static<typeof SimpleRecord>

export const SimpleRemoval = Type.Object({
  name: RecordName,
  type: RecordType,
  content: Type.Optional(
    Prose(contentLength, {
      description: 'Data of the record; without it, all of the name and type are removed',
    }),
  ),
})
export type SimpleRemoval = Static<typeof SimpleRemoval>

export const ZoneChanged = Type.Object({
  success: Type.Literal(true),
  changed: Type.Integer({ minimum: 0, description: 'Record sets that were added, replaced or removed' }),
})
export type ZoneChanged = Static<typeof ZoneChanged>

/** Of a zone file: about 200,000 records. */
const fileLength = 24 * 1024 * 1024

export const ZoneImport = Type.Object({
  bind_data: Prose(fileLength, {
    description: 'Zone file (RFC 1035) with $ORIGIN, $TTL and $GENERATE; $INCLUDE is refused',
    expects: 'the text of a zone file',
  }),
  replace: Type.Optional(
    Type.Boolean({ default: false, description: 'Removes the record sets that the file does not have' }),
  ),
})
export type ZoneImport = Static<typeof ZoneImport>

export const ZoneExport = Type.Object({
  name: ZoneName,
  bind_data: Type.String({ maxLength: 1024 * 1024 * 1024, description: 'Zone file (RFC 1035)' }),
})
export type ZoneExport = Static<typeof ZoneExport>

export const TemplateRecord = Type.Object({
  name: RecordName,
  type: RecordType,
  ttl: Type.Optional(Ttl),
  content: Prose(contentLength, { description: 'Data of the record, with placeholders such as {{ip}}' }),
})
export type TemplateRecord = Static<typeof TemplateRecord>

export const TemplateDraft = Type.Object({
  name: Text(100, {
    minLength: 1,
    description: 'Name of the template',
    expects: 'a name of 1 to 100 characters',
  }),
  description: Type.Optional(Text(500, { default: '', description: 'What it is for' })),
  records: Type.Array(TemplateRecord, {
    minItems: 1,
    maxItems: 500,
    expects: 'a list of 1 to 500 records',
    description:
      'Its records; {{zone}} is the name of the zone, and other placeholders are given when it is applied',
  }),
})
export type TemplateDraft = Static<typeof TemplateDraft>

export const TemplatePath = Type.Object({ id: Id })
export const TemplateZonePath = Type.Object({ id: Id, zone: ZoneName })

export const Template = Type.Object({
  id: Id,
  name: Text(100),
  description: Text(500),
  records: Type.Array(TemplateRecord, { maxItems: 500 }),
  placeholders: Type.Array(Text(64), { maxItems: 100_000, description: 'Values that applying it needs' }),
  created_at: Time,
  revision: Revision,
})
export type Template = Static<typeof Template>

export const TemplateValues = Type.Object({
  values: Type.Optional(
    Type.Record(Type.String({ pattern: '^[a-z0-9_]{1,64}$' }), Text(4096), {
      description: 'A value for each placeholder, by its name',
      maxProperties: 100,
      expects: 'an object of texts by the names of placeholders',
    }),
  ),
})
export type TemplateValues = Static<typeof TemplateValues>
