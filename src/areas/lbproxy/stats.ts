import type { StatRow } from '../../tools/haproxy/index.ts'
import type { Lbproxy } from './context.ts'
import type { Traffic } from './model.ts'

/** Reads HAProxy's counters for graphs. */
export async function readStats({ haproxy, reconcileServerStates }: Lbproxy) {
  await reconcileServerStates()
  const rows = await haproxy.stats()
  return { available: rows !== undefined, rows: (rows ?? []).map(trafficOf) }
}

/** Maps the columns of `show stat` (management guide, section 9.1) to descriptive names. */
function trafficOf(row: StatRow): Traffic {
  const count = (column: string) => (/^\d{1,15}$/.test(row[column] ?? '') ? Number(row[column]) : 0)
  const isProxy = row['svname'] === 'FRONTEND' || row['svname'] === 'BACKEND'
  return {
    kind: (['frontend', 'backend', 'server', 'listener'] as const)[count('type')] ?? 'server',
    proxy: row['pxname'] ?? '',
    server: isProxy ? null : (row['svname'] ?? ''),
    status: row['status'] ?? '',
    sessions_current: count('scur'),
    sessions_max: count('smax'),
    sessions_total: count('stot'),
    session_rate: count('rate'),
    session_rate_max: count('rate_max'),
    request_rate: count('req_rate'),
    requests_total: count('req_tot'),
    bytes_in: count('bin'),
    bytes_out: count('bout'),
    denied_requests: count('dreq'),
    denied_responses: count('dresp'),
    request_errors: count('ereq'),
    connection_errors: count('econ'),
    response_errors: count('eresp'),
    retries: count('wretr'),
    queue_current: count('qcur'),
    queue_max: count('qmax'),
    responses_1xx: count('hrsp_1xx'),
    responses_2xx: count('hrsp_2xx'),
    responses_3xx: count('hrsp_3xx'),
    responses_4xx: count('hrsp_4xx'),
    responses_5xx: count('hrsp_5xx'),
    queue_ms: count('qtime'),
    connect_ms: count('ctime'),
    response_ms: count('rtime'),
    total_ms: count('ttime'),
    weight: count('weight'),
    failed_checks: count('chkfail'),
    downtime_seconds: count('downtime'),
    changed_seconds_ago: count('lastchg'),
    last_check: (row['last_chk'] ?? '').slice(0, 500),
  }
}
