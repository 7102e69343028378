import Type, { type Static } from 'typebox'
import { Nullable } from './names.ts'
import { OneOf, Prose, Text } from '../../../core/schemas.ts'

const Count = Type.Integer({ minimum: 0 })
export const Traffic = Type.Object({
  kind: OneOf(['frontend', 'backend', 'server', 'listener']),
  proxy: Text(200),
  server: Nullable(Text(200)),
  status: Text(100),
  sessions_current: Count,
  sessions_max: Count,
  sessions_total: Count,
  session_rate: Count,
  session_rate_max: Count,
  request_rate: Count,
  requests_total: Count,
  bytes_in: Count,
  bytes_out: Count,
  denied_requests: Count,
  denied_responses: Count,
  request_errors: Count,
  connection_errors: Count,
  response_errors: Count,
  retries: Count,
  queue_current: Count,
  queue_max: Count,
  responses_1xx: Count,
  responses_2xx: Count,
  responses_3xx: Count,
  responses_4xx: Count,
  responses_5xx: Count,
  queue_ms: Count,
  connect_ms: Count,
  response_ms: Count,
  total_ms: Count,
  weight: Count,
  failed_checks: Count,
  downtime_seconds: Count,
  changed_seconds_ago: Count,
  last_check: Prose(500),
})
export type Traffic = Static<typeof Traffic>
export const Stats = Type.Object({
  available: Type.Boolean(),
  rows: Type.Array(Traffic, { maxItems: 50_000 }),
})
