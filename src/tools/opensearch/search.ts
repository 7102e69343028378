import Type, { type Static } from 'typebox'
import { type OpensearchApi, parserOf } from './api.ts'
import { logIndices } from './layout.ts'

/** What log lines are chosen by. */
export interface LogQuery {
  /** In the syntax of query strings; empty for every line. */
  readonly query: string
  /** RFC 3339 or date math such as `now-24h`; undefined for no bound. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** As `from`, without the lines of that moment itself. */
  readonly after?: string | undefined
  /** Addresses of senders; empty for all. */
  readonly sources: readonly string[]
  readonly severity: readonly string[]
}

/** The fields of a log line, as rsyslog sends them. */
const LogLine = Type.Object({
  '@timestamp': Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  host: Type.Optional(Type.String()),
  program: Type.Optional(Type.String()),
  pid: Type.Optional(Type.String()),
  severity: Type.Optional(Type.String()),
  facility: Type.Optional(Type.String()),
  source: Type.Optional(Type.String()),
  source_ip: Type.Optional(Type.String()),
  preserved: Type.Optional(Type.Boolean()),
})
export type LogLine = Static<typeof LogLine>

const Total = Type.Object({ value: Type.Integer({ minimum: 0 }) })
const parseHits = parserOf(
  Type.Object({ hits: Type.Object({ total: Total, hits: Type.Array(Type.Object({ _source: LogLine })) }) }),
)

/** Where a page ends: the time in milliseconds, and the number that OpenSearch gave the line. */
const Place = Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })
export type LinePlace = Static<typeof Place>
const parsePage = parserOf(
  Type.Object({ hits: Type.Object({ hits: Type.Array(Type.Object({ _source: LogLine, sort: Place })) }) }),
)

const Terms = Type.Object({
  buckets: Type.Array(Type.Object({ key: Type.String(), doc_count: Type.Integer() })),
})
const groupedFields = ['severity', 'program', 'host', 'source_ip', 'source'] as const
const parseGroups = parserOf(
  Type.Object({
    hits: Type.Object({ total: Total }),
    aggregations: Type.Object({
      times: Type.Object({
        interval: Type.String(),
        buckets: Type.Array(Type.Object({ key_as_string: Type.String(), doc_count: Type.Integer() })),
      }),
      severity: Terms,
      program: Terms,
      host: Terms,
      source_ip: Terms,
      source: Terms,
    }),
  }),
)

/** A day without lines has no index, and a mapping may be older than a field. */
const searchPath = `/${logIndices}/_search?ignore_unavailable=true&allow_no_indices=true`
const mostBars = 60
const mostGroups = 10

/** The query of OpenSearch that matches these lines. A query string may name fields; scripts have no syntax in it. */
export function matching({ query, from, after, to, sources, severity }: LogQuery): object {
  const range = { ...(from && { gte: from }), ...(after && { gt: after }), ...(to && { lte: to }) }
  const text = {
    query,
    default_field: 'message',
    default_operator: 'AND',
    allow_leading_wildcard: false,
    lenient: true,
  }
  return {
    bool: {
      must: query.trim() === '' ? [] : [{ query_string: text }],
      filter: [
        ...(Object.keys(range).length > 0 ? [{ range: { '@timestamp': range } }] : []),
        ...(sources.length > 0 ? [{ terms: { source_ip: sources } }] : []),
        ...(severity.length > 0 ? [{ terms: { severity } }] : []),
      ],
    },
  }
}

const parseValidity = parserOf(Type.Object({ valid: Type.Boolean() }))
const validatePath = `/${logIndices}/_validate/query?ignore_unavailable=true&allow_no_indices=true`

/** Returns whether OpenSearch can read a query; as long as there are no lines, it reads any. */
export async function isReadable(api: OpensearchApi, query: LogQuery): Promise<boolean> {
  const reply = await api.ask({ method: 'POST', path: validatePath, body: { query: matching(query) } })
  return parseValidity(reply).valid
}

/** Reads lines, the newest first. */
export async function searchLines(
  api: OpensearchApi,
  query: LogQuery,
  page: { readonly from: number; readonly size: number },
): Promise<{ readonly hits: LogLine[]; readonly total: number }> {
  const body = {
    ...page,
    track_total_hits: true,
    query: matching(query),
    sort: [{ '@timestamp': { order: 'desc', unmapped_type: 'date_nanos' } }],
  }
  const { hits } = parseHits(await api.ask({ method: 'POST', path: searchPath, body }))
  return { hits: hits.hits.map(({ _source }) => _source), total: hits.total.value }
}

/**
 * Reads one page of lines, the oldest first; `next` is where the following one begins, and undefined after the last. Times are
 * compared in milliseconds, as their nanoseconds are larger than the numbers of JSON that are exact here; the lines of one
 * millisecond are in the order in which they were stored.
 */
export async function pageOfLines(
  api: OpensearchApi,
  query: LogQuery,
  page: { readonly after: LinePlace | undefined; readonly size: number },
): Promise<{ readonly lines: readonly LogLine[]; readonly next: LinePlace | undefined }> {
  const body = {
    size: page.size,
    query: matching(query),
    sort: [
      { '@timestamp': { order: 'asc', numeric_type: 'date', unmapped_type: 'date_nanos' } },
      { _seq_no: { order: 'asc' } },
    ],
    ...(page.after && { search_after: page.after }),
  }
  const { hits } = parsePage(await api.ask({ method: 'POST', path: searchPath, body })).hits
  const isLast = hits.length < page.size
  return { lines: hits.map(({ _source }) => _source), next: isLast ? undefined : hits.at(-1)?.sort }
}

/** Counts lines by time, and by the most frequent values of their fields. */
export async function groupLines(api: OpensearchApi, query: LogQuery) {
  const terms = Object.fromEntries(
    groupedFields.map((field) => [field, { terms: { field, size: mostGroups } }]),
  )
  const times = { auto_date_histogram: { field: '@timestamp', buckets: mostBars } }
  const body = { size: 0, track_total_hits: true, query: matching(query), aggs: { times, ...terms } }
  const reply = await api.ask({ method: 'POST', path: searchPath, body })
  if (isWithoutIndex(reply)) return { total: 0, interval: '', times: [], fields: noGroups }
  const { hits, aggregations: found } = parseGroups(reply)
  const shown = ({ buckets }: Static<typeof Terms>) =>
    buckets.map(({ key, doc_count }) => ({ value: key, count: doc_count }))
  return {
    total: hits.total.value,
    interval: found.times.interval,
    times: found.times.buckets.map((each) => ({ time: each.key_as_string, count: each.doc_count })),
    fields: {
      severity: shown(found.severity),
      program: shown(found.program),
      host: shown(found.host),
      source_ip: shown(found.source_ip),
      source: shown(found.source),
    },
  }
}

const noGroups = { severity: [], program: [], host: [], source_ip: [], source: [] }

/** Without any index, OpenSearch answers without aggregations. */
const isWithoutIndex = (reply: unknown): boolean =>
  typeof reply === 'object' && reply !== null && !('aggregations' in reply)
