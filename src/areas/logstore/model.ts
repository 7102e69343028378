import Type, { type Static } from 'typebox'
import { Id, OneOf, Optional, Prose, Text, Time } from '../../core/schemas.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const whole = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

export const LogstorePath = Type.Object({
  id: Type.String({
    maxLength: 15,
    pattern: '^[1-9]\\d{0,14}$',
    description: 'Identifier',
    expects: 'a positive whole number',
  }),
})

export const sourceTypes = ['syslog', 'local'] as const
export const protocols = ['udp', 'tcp', 'tls'] as const
/** The severities of syslog, the gravest first, as rsyslog names them. */
export const severities = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'] as const

/** The port of a source whose own is 0. */
export const defaultPort = 514

const allowedIps = 'Addresses and IPv4 networks that may send, with commas between; empty for all'
const replicateTo = 'host or host:port that receives a copy over TCP; empty for none'
const sourceFields = {
  type: OneOf(sourceTypes, {
    description: 'syslog receives lines on a port; local takes those of this host alone',
  }),
  protocol: OneOf(protocols, {
    description: 'How lines arrive on the port; tls is TCP with the certificate of the panel',
  }),
  port: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    description: 'Port; 0 means 514',
    expects: 'a port from 1 to 65535, or 0 for 514',
  }),
  description: Text(500, { description: 'What it is for' }),
  include_local: Type.Boolean({ description: 'Also store the lines of this host' }),
  allowed_ips: Text(2000, { description: allowedIps }),
  replicate_to: Text(300, { description: replicateTo }),
}
const sourceName = Text(100, {
  description: 'Name, which each line carries',
  expects: 'a name of 1 to 100 characters',
})

export const LogSourceDraft = Type.Object({
  name: Text(100, {
    minLength: 1,
    description: 'Name, which each line carries',
    expects: 'a name of 1 to 100 characters',
  }),
  type: OneOf(sourceTypes, { ...sourceFields.type, default: 'syslog' }),
  protocol: OneOf(protocols, { ...sourceFields.protocol, default: 'udp' }),
  port: Type.Integer({ ...sourceFields.port, default: defaultPort }),
  description: Text(500, { description: 'What it is for', default: '' }),
  include_local: Type.Boolean({ description: 'Also store the lines of this host', default: false }),
  allowed_ips: Text(2000, { description: allowedIps, default: '' }),
  replicate_to: Text(300, { description: replicateTo, default: '' }),
})
export type LogSourceDraft = Static<typeof LogSourceDraft>

export const LogSourceEdit = Type.Partial(Type.Object({ name: sourceName, ...sourceFields }))
export type LogSourceEdit = Static<typeof LogSourceEdit>

export const LogSource = Type.Object({
  id: Id,
  name: sourceName,
  ...sourceFields,
  enabled: Type.Boolean({ description: 'Whether it may receive' }),
  state: OneOf(['applied', 'changed', 'not_applied'], {
    description: 'Whether rsyslog has it: changed if it was edited since it was applied',
  }),
  created_at: Time,
})
export type LogSource = Static<typeof LogSource>
export const LogSources = Type.Array(LogSource, { maxItems: 100 })

const timeBound =
  '^(?:|now(?:[+-]\\d{1,6}[yMwdhHms])*(?:/[yMwdhHms])?|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d\\d:\\d\\d))$'
const TimeBound = (description: string) =>
  Type.String({
    maxLength: 100,
    pattern: timeBound,
    description,
    expects: 'a time such as now-24h or 2026-11-28T10:00:00Z, or empty',
    default: '',
  })

const chosenLines = {
  query: Text(2000, {
    default: '',
    description:
      'Words that the message must contain; AND, OR, NOT, "phrases", wild* cards and field:value. Empty for all',
  }),
  timeFrom: TimeBound('First time; the last 24 hours if both are empty'),
  timeTo: TimeBound('Last time'),
  sources: Type.Array(Text(45, { description: 'Address of a sender' }), {
    maxItems: 100,
    default: [],
    description: 'Addresses of senders; empty for all',
  }),
  severity: Type.Array(OneOf(severities), {
    maxItems: 20,
    default: [],
    description: 'Severities; empty for all',
  }),
}

export const LogChoice = Type.Object(chosenLines)
export type LogChoice = Static<typeof LogChoice>

export const defaultLimit = 100
/** The backend answers no more lines than these from the newest on. */
export const mostReachable = 10_000

export const LogSearch = Type.Object({
  ...chosenLines,
  limit: Type.Integer({
    ...whole,
    default: defaultLimit,
    description: 'Lines to return; 100 for a value below 1 or above 500',
  }),
  from: Type.Integer({ ...whole, default: 0, description: 'Lines to skip; with `limit` at most 10,000' }),
})
export type LogSearch = Static<typeof LogSearch>

export const LogLine = Type.Object({
  '@timestamp': Optional(Text(40, { description: 'When it arrived, UTC' })),
  message: Optional(Prose(1_000_000, { description: 'The line' })),
  host: Optional(Prose(1024, { description: 'Host that it names' })),
  program: Optional(Prose(1024, { description: 'Program' })),
  pid: Optional(Prose(1024, { description: 'Process, as the sender names it' })),
  severity: Optional(Prose(1024, { description: severities.join(', ') })),
  facility: Optional(Prose(1024, { description: 'Facility of syslog' })),
  source: Optional(Prose(1024, { description: 'Name of the source that received it' })),
  source_ip: Optional(Prose(1024, { description: 'Address of the sender' })),
  preserved: Optional(Type.Boolean({ description: 'Whether a saved search preserves it' })),
})
export const LogHits = Type.Object({
  hits: Type.Array(LogLine, { maxItems: 500 }),
  total: Count('Lines that match'),
})
export type LogHits = Static<typeof LogHits>

const Values = Type.Array(
  Type.Object({ value: Prose(1024, { description: 'Value' }), count: Count('Lines with it') }),
  { maxItems: 10 },
)
export const LogHistogram = Type.Object({
  total: Count('Lines that match'),
  interval: Text(20, { description: 'Length of a bar, such as 30m; empty without lines' }),
  times: Type.Array(
    Type.Object({ time: Text(40, { description: 'Start of the bar' }), count: Count('Lines in it') }),
    { maxItems: 1000 },
  ),
  fields: Type.Object(
    { severity: Values, program: Values, host: Values, source_ip: Values, source: Values },
    { description: 'The most frequent values of each field' },
  ),
})
export type LogHistogram = Static<typeof LogHistogram>

export const PreservedCount = Type.Object({ count: Count('Lines that are preserved') })

const severityList = `^(?:|(?:${severities.join('|')})(?:,(?:${severities.join('|')}))*)$`
const timeRange = `${timeBound.slice(0, -1)}(?:\\.\\.${timeBound.slice(1, -1)})?$`

export const SavedSearchDraft = Type.Object({
  name: Text(200, { default: '', description: 'Name' }),
  query: Text(2000, { default: '', description: 'As in a search' }),
  severity: Type.String({
    maxLength: 100,
    pattern: severityList,
    default: '',
    description: 'Severities, with commas between',
    expects: `some of ${severities.join(', ')}, with commas between`,
  }),
  time_range: Type.String({
    maxLength: 100,
    pattern: timeRange,
    default: '',
    description: 'As timeFrom of a search, or timeFrom..timeTo',
    expects: 'a time such as now-24h, or two with .. between',
  }),
  expiry: Text(20, { default: '', description: '6m, 1y or never; any other means two years' }),
  preserve_data: Type.Integer({
    minimum: 0,
    maximum: 1,
    default: 0,
    description: '1 keeps the lines that it matches beyond their retention',
    expects: '0 or 1',
  }),
  alert_threshold: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
    description: 'Lines within alert_minutes from which superusers are notified; 0 for never',
    expects: 'a number of lines up to 1000000, or 0',
  }),
  alert_minutes: Type.Integer({
    minimum: 1,
    maximum: 1440,
    default: 5,
    description: 'The last minutes in which lines are counted for alert_threshold',
    expects: 'a number of minutes from 1 to 1440',
  }),
})
export type SavedSearchDraft = Static<typeof SavedSearchDraft>

export const SavedSearch = Type.Object({
  id: Id,
  name: Text(200),
  query: Text(2000),
  severity: Text(100),
  time_range: Text(100),
  expires_at: Type.Union([Time, Type.Null()], { description: 'Null for never' }),
  created_at: Time,
  preserve_data: Type.Integer({ minimum: 0, maximum: 1, description: 'Whether its lines are preserved' }),
  alert_threshold: Count('Lines within alert_minutes from which superusers are notified; 0 for never'),
  alert_minutes: Count('The last minutes in which lines are counted'),
})
export type SavedSearch = Static<typeof SavedSearch>
export const SavedSearches = Type.Array(SavedSearch, { maxItems: 1000 })

export const LogRetention = Type.Object({
  max_age_days: Type.Integer({
    minimum: 1,
    maximum: 3650,
    description: 'Days that lines are kept',
    expects: 'a number from 1 to 3650',
  }),
  max_disk_percent: Type.Integer({
    minimum: 50,
    maximum: 94,
    description:
      'Use of the disk above which the oldest days are deleted; from 95 on, OpenSearch accepts no lines',
    expects: 'a number from 50 to 94',
  }),
})
export type LogRetention = Static<typeof LogRetention>
export const defaultRetention: LogRetention = { max_age_days: 30, max_disk_percent: 90 }

export const LogstoreStatus = Type.Object({
  installed: Type.Boolean({ description: 'Whether OpenSearch and rsyslog are installed' }),
  running: Type.Boolean({ description: 'Whether the service of OpenSearch runs' }),
  answering: Type.Boolean({ description: 'Whether it answers' }),
  receiving: Type.Boolean({ description: 'Whether rsyslog runs' }),
  version: Type.Union([Text(100), Type.Null()], { description: 'Version of OpenSearch' }),
  reason: Type.Union([Prose(2000), Type.Null()], { description: 'Why it does not work; null if it does' }),
  queued_bytes: Count('Bytes of lines that wait on the disk'),
})
export type LogstoreStatus = Static<typeof LogstoreStatus>

export const LogstoreStats = Type.Object({
  documents: Count('Lines'),
  size_bytes: Count('Size of all indices'),
  preserved: Count('Lines that are preserved'),
  disk_total_bytes: Count('Size of the disk'),
  disk_used_percent: Count('How much of it is used'),
  heap_used_percent: Count('How much of its memory OpenSearch uses'),
  queued_bytes: Count('Bytes of lines that wait on the disk'),
  days: Type.Array(
    Type.Object({
      day: Text(10, { description: 'Day in UTC' }),
      documents: Count('Lines'),
      size_bytes: Count('Size of the index'),
    }),
    { maxItems: 10_000, description: 'Each day that has lines, the newest first' },
  ),
})
export type LogstoreStats = Static<typeof LogstoreStats>

export const LogstoreInstalled = Type.Object({
  success: Type.Literal(true),
  message: Text(200, { description: 'What was done' }),
})
