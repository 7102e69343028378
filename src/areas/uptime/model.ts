import Type, { type Static } from 'typebox'
import { Id, Masked, OneOf, Optional, Secret, Text, Time } from '../../core/schemas.ts'

/** The kinds of checks; a monitor of another type is stored and reports `error` when it is checked. */
export const monitorTypes = ['http', 'tcp', 'dns', 'ping'] as const

/** The interval of a monitor whose own is 0, in seconds. */
export const defaultInterval = 300
/** The time limit of a check of a monitor whose own is 0, in seconds. */
export const defaultTimeout = 5

const intervals = { minimum: 0, maximum: 86_400, expects: '0 for 300, or from 10 to 86400 seconds' }
const timeouts = { minimum: 0, maximum: 60, expects: '0 for 5, or up to 60 seconds' }

/** What a monitor is configured with; absent fields get these defaults, or none are filled in. */
function fieldsOf(defaults: { readonly method: string; readonly record: string } | undefined) {
  const zero = defaults && { default: '' }
  const off = defaults && { default: false }
  const none = defaults && { default: 0 }
  return {
    name: Text(200, { ...zero, description: 'Name' }),
    type: Text(20, { ...zero, description: `Kind of check: ${monitorTypes.join(', ')}` }),
    target: Text(2000, { ...zero, description: 'URL, host:port, or host name or address' }),
    http_method: Text(7, {
      ...(defaults && { default: defaults.method }),
      description: 'Method of the request: GET, HEAD, POST or OPTIONS',
    }),
    http_override_ip: Text(45, {
      ...zero,
      description: 'Address to connect to instead of resolving the name',
    }),
    http_keyword: Text(500, { ...zero, description: 'Text that the first MiB of the answer must contain' }),
    http_skip_ssl: Type.Boolean({ ...off, description: 'Accept any certificate' }),
    http_statuses: Text(100, {
      ...zero,
      description: 'Statuses that count as success, such as 200-299, 401; empty for 200-399',
    }),
    check_interval: Type.Integer({ ...intervals, ...none, description: 'Seconds between two checks' }),
    timeout: Type.Integer({ ...timeouts, ...none, description: 'Time limit of a check, in seconds' }),
    alert_email: Text(254, { ...zero, description: 'Receives an e-mail when the monitor goes down or up' }),
    alert_webhook: Text(2000, { ...zero, description: 'URL that receives the same as JSON' }),
    webhook_skip_ssl: Type.Boolean({ ...off, description: 'Accept any certificate of the webhook' }),
    webhook_secret: Secret({
      ...zero,
      minLength: 0,
      maxLength: 200,
      description:
        'Key of the signatures of the webhook: whsec_ and 24 to 64 bytes in base64; empty for none',
    }),
    alert_ai: Type.Boolean({ ...off, description: 'Write to the assistant, where there is one' }),
    dns_failover: Type.Boolean({ ...off, description: 'Switch a DNS record when the monitor goes down' }),
    dns_zone: Text(253, { ...zero, description: 'Zone of the record' }),
    dns_record_name: Text(253, { ...zero, description: 'Name of the record' }),
    dns_record_type: Text(10, {
      ...(defaults && { default: defaults.record }),
      description: 'Type of the record',
    }),
    dns_up_ip: Text(45, { ...zero, description: 'Its value while the monitor is up' }),
    dns_down_ip: Text(45, { ...zero, description: 'Its value while the monitor is down' }),
  }
}

const created = fieldsOf({ method: 'GET', record: 'A' })

export const MonitorDraft = Type.Object({
  ...created,
  name: Text(200, { minLength: 1, description: 'Name', expects: 'a name of 1 to 200 characters' }),
  type: Text(20, { minLength: 1, description: `Kind of check: ${monitorTypes.join(', ')}` }),
  target: Text(2000, {
    minLength: 1,
    description: 'A URL (http), host:port (tcp), or a host name or address (dns, ping)',
  }),
  check_interval: Type.Integer({
    ...intervals,
    default: defaultInterval,
    description: 'Seconds between two checks',
  }),
  timeout: Type.Integer({
    ...timeouts,
    default: defaultTimeout,
    description: 'Time limit of a check, in seconds',
  }),
})
export type MonitorDraft = Static<typeof MonitorDraft>

/** Every field is written: one that is absent becomes empty, 0 or false. */
export const MonitorReplacement = Type.Object(fieldsOf({ method: '', record: '' }))

export const MonitorEdit = Type.Partial(Type.Object(fieldsOf(undefined)))
export type MonitorEdit = Static<typeof MonitorEdit>

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const Monitor = Type.Object({
  id: Id,
  ...fieldsOf(undefined),
  webhook_secret: Masked({ maxLength: 200, description: 'Key of the signatures of the webhook' }),
  is_enabled: Type.Boolean({ description: 'Whether it is checked' }),
  is_down: Type.Boolean({ description: 'True from the second failed check in a row to the next success' }),
  last_check: Type.Union([Time, Type.Null()], { description: 'Null before the first check' }),
  last_status: Count('Status of the last HTTP answer; 0 for none'),
  last_response_time: Count('Milliseconds that the last check took'),
  last_error: Text(500, { description: 'Why the last check failed, or what is wrong with its success' }),
  fail_count: Count('Failed checks in a row'),
  total_checks: Count('Checks since it was created'),
  is_unstable: Type.Boolean({
    description: 'True while it goes down and up again and again: no alerts are sent then',
  }),
  in_maintenance: Type.Boolean({ description: 'True while it is not checked, as maintenance is planned' }),
  dns_switched: Type.Boolean({ description: 'True while its DNS record has dns_down_ip' }),
  created_at: Time,
})
export type Monitor = Static<typeof Monitor>

export const Monitors = Type.Object({ monitors: Type.Array(Monitor, { maxItems: 20_000 }) })

/** Changes of state, alerts that were sent, and switches of the DNS record. */
export const eventTypes = ['up', 'down', 'warning', 'error', 'alert', 'failover'] as const
export const alertTypes = ['down', 'up', 'unstable'] as const
export const repetitions = ['once', 'daily', 'weekly'] as const

export const HistoryRow = Type.Object({
  id: Id,
  event_type: Text(10, { description: eventTypes.join(', ') }),
  status: Count('Status of the HTTP answer; 0 for none'),
  response_time: Count('Milliseconds'),
  error: Text(500, {
    description: 'Why the check failed; how an alert was sent, or why not; what the DNS record was set to',
  }),
  created_at: Time,
})
export type HistoryRow = Static<typeof HistoryRow>

export const History = Type.Object({ history: Type.Array(HistoryRow, { maxItems: 1000 }) })

export const HistoryQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: 'Rows to return',
    expects: 'a number from 1 to 1000',
  }),
})

export const UptimeStatus = Type.Object({
  installed: Type.Boolean({ description: 'Whether the plugin is enabled' }),
  running: Optional(Type.Boolean({ description: 'Whether monitors are checked at present' })),
  total: Optional(Count('Enabled monitors')),
  up: Optional(Count('Those whose last check succeeded')),
  down: Optional(Count('Those that are down')),
  warning: Optional(Count('Those that are not down and have an error')),
})
export type UptimeStatus = Static<typeof UptimeStatus>

export const MonitorPath = Type.Object({ id: Id })

export const Statistics = Type.Object({
  checks: Count('Checks of the last 24 hours'),
  failed: Count('Those that failed'),
  availability: Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'Percent that succeeded; 100 without a check',
  }),
  p50: Count('Median response time of successful checks, in milliseconds'),
  p95: Count('95th percentile'),
  p99: Count('99th percentile'),
})
export type Statistics = Static<typeof Statistics>

const Checked = {
  checks: Count('Checks'),
  failed: Count('Those that failed'),
}

export const DailyAvailability = Type.Object({
  days: Type.Array(
    Type.Object({
      day: Text(10, { description: 'Day in UTC' }),
      ...Checked,
      availability: Type.Number({ minimum: 0, maximum: 100, description: 'Percent that succeeded' }),
      p50: Count('Median response time of successful checks, in milliseconds'),
      p95: Count('95th percentile'),
      p99: Count('99th percentile'),
    }),
    { maxItems: 3660, description: 'Each day with checks, the newest first; today so far' },
  ),
})
export type DailyAvailability = Static<typeof DailyAvailability>

export const ResponseTimes = Type.Object({
  points: Type.Array(
    Type.Object({
      time: Time,
      ...Checked,
      average: Count('Average response time of successful checks, in milliseconds'),
      slowest: Count('The longest of them'),
    }),
    { maxItems: 30_000, description: 'Each five minutes with checks, the oldest first' },
  ),
})
export type ResponseTimes = Static<typeof ResponseTimes>

export const AvailabilityQuery = Type.Object({
  days: Type.Integer({
    minimum: 1,
    maximum: 3650,
    default: 30,
    description: 'Days to return',
    expects: 'a number from 1 to 3650',
  }),
})

export const ResponseTimesQuery = Type.Object({
  hours: Type.Integer({
    minimum: 1,
    maximum: 2160,
    default: 24,
    description: 'Hours to return',
    expects: 'a number from 1 to 2160',
  }),
})

const mostSparklines = 100

export const SparklinesQuery = Type.Object({
  ids: Type.String({
    maxLength: 16 * mostSparklines,
    pattern: `^[1-9]\\d{0,14}(?:,[1-9]\\d{0,14}){0,${mostSparklines - 1}}$`,
    description: 'Monitors, with commas between',
    expects: `the ids of 1 to ${mostSparklines} monitors, with commas between`,
  }),
})

export const Sparklines = Type.Object({
  sparklines: Type.Array(
    Type.Object({
      monitor_id: Id,
      hours: Type.Array(
        Type.Object({
          time: Time,
          ...Checked,
          average: Count('Average response time of successful checks, in milliseconds'),
        }),
        { maxItems: 25, description: 'Each hour with checks, the oldest first' },
      ),
    }),
    { maxItems: mostSparklines, description: 'Monitors without checks are absent' },
  ),
})
export type Sparklines = Static<typeof Sparklines>

export const WindowDraft = Type.Object({
  title: Text(200, { minLength: 1, description: 'What is done', expects: 'a text of 1 to 200 characters' }),
  monitor_id: Type.Optional(Type.Union([Id, Type.Null()], { description: 'Monitor; null for all' })),
  starts_at: Type.String({
    ...Time,
    description: 'When it begins',
    expects: 'a time such as 2026-11-30T22:00:00Z',
  }),
  minutes: Type.Integer({
    minimum: 1,
    maximum: 43_200,
    default: 60,
    description: 'How long it lasts, in minutes',
    expects: 'a number of minutes from 1 to 43200',
  }),
  repeats: OneOf(repetitions, { default: 'once', description: 'How often, at the same time in UTC' }),
})
export type WindowDraft = Static<typeof WindowDraft>

export const MaintenanceWindow = Type.Object({
  id: Id,
  monitor_id: Type.Union([Id, Type.Null()], { description: 'Null for all monitors' }),
  title: Text(200),
  starts_at: Time,
  minutes: Type.Integer({ minimum: 1 }),
  repeats: OneOf(repetitions),
  created_at: Time,
  is_active: Type.Boolean({ description: 'True while it lasts' }),
})
export type MaintenanceWindow = Static<typeof MaintenanceWindow>
export const MaintenanceWindows = Type.Object({ windows: Type.Array(MaintenanceWindow, { maxItems: 1000 }) })

export const IdOfMonitor = Type.Object({ id: Id, message: Text(100) })
export const Told = Type.Object({ message: Text(100) })
