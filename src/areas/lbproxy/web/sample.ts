import type { Traffic } from '../model.ts'

/** The throughput of a part at a moment; rates are per second. */
export interface Sample {
  readonly at: number
  readonly requests: number
  readonly sessions: number
  readonly bytesIn: number
  readonly bytesOut: number
  /** Failed requests, connections and responses, as HAProxy counts them. */
  readonly errors: number
  /** Responses with status 500 and above. */
  readonly failures: number
  readonly queue: number
  /** Average over the latest responses. */
  readonly responseMs: number
}

interface Before {
  readonly row: Traffic | undefined
  readonly at: number
}

/**
 * Computes rates from two counts; uses HAProxy's own rates without an earlier count or after a reload reset
 * the counters.
 */
export function sampleOf(row: Traffic, at: number, before: Before | undefined): Sample {
  const seconds = before ? (at - before.at) / 1000 : 0
  const earlier =
    before?.row && before.row.sessions_total <= row.sessions_total && seconds > 0 ? before.row : undefined
  const rate = (count: (from: Traffic) => number, otherwise: number) =>
    earlier ? Math.max(0, count(row) - count(earlier)) / seconds : otherwise
  return {
    at,
    requests: rate(requestsOf, row.request_rate || row.session_rate),
    sessions: row.sessions_current,
    bytesIn: rate(({ bytes_in }) => bytes_in, 0),
    bytesOut: rate(({ bytes_out }) => bytes_out, 0),
    errors: rate(errorsOf, 0),
    failures: rate(({ responses_5xx }) => responses_5xx, 0),
    queue: row.queue_current,
    responseMs: row.response_ms,
  }
}

/** HAProxy counts requests only in HTTP mode; otherwise each session counts as one. */
const requestsOf = ({ requests_total, sessions_total }: Traffic) => requests_total || sessions_total

const errorsOf = (row: Traffic) => row.request_errors + row.connection_errors + row.response_errors

interface Measured extends Traffic {
  readonly now: Sample
}

/** Returns the totals: the incoming traffic of frontends and the queues of backends. */
export function sumOf(rows: readonly Measured[], at: number): Sample {
  const frontends = rows.filter(({ kind }) => kind === 'frontend').map(({ now }) => now)
  const backends = rows.filter(({ kind }) => kind === 'backend').map(({ now }) => now)
  const sum = (of: readonly Sample[], pick: (sample: Sample) => number) =>
    of.reduce((total, sample) => total + pick(sample), 0)
  const served = sum(backends, ({ requests }) => requests)
  const answering = served > 0 ? backends : backends.filter(({ responseMs }) => responseMs > 0)
  return {
    at,
    requests: sum(frontends, ({ requests }) => requests),
    sessions: sum(frontends, ({ sessions }) => sessions),
    bytesIn: sum(frontends, ({ bytesIn }) => bytesIn),
    bytesOut: sum(frontends, ({ bytesOut }) => bytesOut),
    errors: sum(frontends, ({ errors }) => errors) + sum(backends, ({ errors }) => errors),
    failures: sum(frontends, ({ failures }) => failures),
    queue: sum(backends, ({ queue }) => queue),
    responseMs:
      served > 0
        ? sum(backends, ({ requests, responseMs }) => requests * responseMs) / served
        : sum(answering, ({ responseMs }) => responseMs) / Math.max(1, answering.length),
  }
}
