import Type, { type Static } from 'typebox'
import { OneOf, Text } from '../../core/schemas.ts'

/** The fields that have a history. */
export const fields = ['filter', 'ping', 'trace'] as const
export type Field = (typeof fields)[number]

const Host = Type.String({
  minLength: 1,
  maxLength: 253,
  pattern: '^[A-Za-z0-9_:[][A-Za-z0-9._:%\\[\\]-]*$',
  description: 'Name or address of the host',
  expects: 'a host name or an IP address',
})
const whole = { minimum: -1_000_000, maximum: 1_000_000 }

export const PingDraft = Type.Object({
  host: Host,
  count: Type.Integer({ ...whole, default: 4, description: 'Requests, at most 50; 4 if not above 0' }),
  size: Type.Integer({
    ...whole,
    default: 64,
    description: 'Payload in bytes, at most 65500; 64 if not above 0',
  }),
  interval: Type.Number({
    minimum: -1_000_000,
    maximum: 60,
    default: 1,
    description: 'Seconds between two requests, at least 0.2; 1 if not above 0',
    expects: 'a number of seconds up to 60',
  }),
})
export type PingDraft = Static<typeof PingDraft>

const Ms = Type.Number({ minimum: 0, description: 'Milliseconds; 0 without a reply' })
const Output = Type.String({ maxLength: 600_000, description: 'The output of the program' })

export const PingReport = Type.Object({
  replies: Type.Array(
    Type.Object({ seq: Type.Integer(), from: Text(100), ttl: Type.Integer(), time_ms: Ms }),
    { maxItems: 100 },
  ),
  stats: Type.Object({
    transmitted: Type.Integer({ minimum: 0 }),
    received: Type.Integer({ minimum: 0 }),
    loss_pct: Type.Number({ minimum: 0, maximum: 100 }),
    min_ms: Ms,
    avg_ms: Ms,
    max_ms: Ms,
  }),
  raw: Output,
})
export type PingReport = Static<typeof PingReport>

export const TraceDraft = Type.Object({
  host: Host,
  max_hops: Type.Integer({ ...whole, default: 30, description: 'Hops, at most 64; 30 if not above 0' }),
})
export type TraceDraft = Static<typeof TraceDraft>

export const TraceReport = Type.Object({
  hops: Type.Array(
    Type.Object({
      hop: Type.Integer({ minimum: 0 }),
      host: Text(100, { description: 'Empty if nothing answered' }),
      times_ms: Type.Array(Type.Union([Type.Number(), Type.Null()]), { maxItems: 10 }),
    }),
    { maxItems: 100 },
  ),
  raw: Output,
})
export type TraceReport = Static<typeof TraceReport>

export const HttpingDraft = Type.Object({
  host: Type.String({
    minLength: 1,
    maxLength: 2000,
    pattern: '^[A-Za-z0-9_[][A-Za-z0-9._~:/?@+,=%\\[\\]-]*$',
    description: 'Host name, address or URL',
    expects: 'a host name, or a URL that begins with http:// or https://, without shell characters',
  }),
  count: Type.Integer({ ...whole, default: 4, description: 'Requests, at most 50; 4 if not above 0' }),
})
export type HttpingDraft = Static<typeof HttpingDraft>

/** What a program printed, while it runs. */
export const ProbeEvent = Type.Object({
  type: OneOf(['line', 'end', 'error'], { description: 'end and error are the last event' }),
  message: Text(10_000, { description: 'The line; at the end, why the program failed, or nothing' }),
})
export type ProbeEvent = Static<typeof ProbeEvent>

const Figure = Text(20, { description: 'As the program printed it; empty for none' })
export const HttpingReport = Type.Object({
  lines: Type.Array(Text(10_000), { maxItems: 10_000 }),
  stats: Type.Object({ min_ms: Figure, avg_ms: Figure, max_ms: Figure, loss_pct: Text(20) }),
})
export type HttpingReport = Static<typeof HttpingReport>

export const Installed = Type.Object({ installed: Type.Literal(true) })
export const HttpingStatus = Type.Object({ installed: Type.Boolean() })
export const Interfaces = Type.Array(Text(64), { maxItems: 10_000 })

export const CaptureDraft = Type.Object({
  interface: Text(64, {
    minLength: 1,
    description: 'Network interface',
    expects: 'the name of an interface',
  }),
  filter: Text(1000, { default: '', description: 'Expression of pcap-filter(7); empty for all packets' }),
  count: Type.Integer({ ...whole, default: 100, description: 'Packets, at most 1000; 100 if not above 0' }),
})
export type CaptureDraft = Static<typeof CaptureDraft>

const SessionId = Text(36, { description: 'Capture session' })
export const CapturePath = Type.Object({ id: SessionId })
export const CaptureStarted = Type.Object({ session_id: SessionId })
export const CaptureStatus = Type.Object({
  id: SessionId,
  status: OneOf(['running', 'done', 'error']),
  error: Text(1000),
  packet_count: Type.Integer({ minimum: 0 }),
  max_count: Type.Integer({ minimum: 0 }),
})
export type CaptureStatus = Static<typeof CaptureStatus>

export const CapturedPacket = Type.Object({
  timestamp: Text(40),
  src_ip: Text(2100),
  dst_ip: Text(2100),
  src_port: Text(10),
  dst_port: Text(10),
  protocol: Text(2100),
  length: Type.Integer({ minimum: 0 }),
  info: Type.String({ maxLength: 2100 }),
  raw_line: Type.String({ maxLength: 2100 }),
})
export const Packets = Type.Array(CapturedPacket, { maxItems: 1000 })

export const FieldPath = Type.Object({ field: Text(20, { description: fields.join(', ') }) })
export const EntryDraft = Type.Object({ value: Text(1000, { default: '', description: 'What was typed' }) })
export const Entries = Type.Array(Text(1000), { maxItems: 10 })
export const Ok = Type.Object({ ok: Type.Literal(true) })
