import Type from 'typebox'
import { type OpensearchApi, parserOf } from './api.ts'
import { indexPrefix, logIndices } from './layout.ts'
import { BackendFailed } from './problems.ts'
import { type LogQuery, matching } from './search.ts'

/** The lines of one day in UTC. */
export interface DayIndex {
  readonly index: string
  /** `2026-11-28` */
  readonly day: string
  readonly documents: number
  readonly sizeBytes: number
}

const parseCount = parserOf(Type.Object({ count: Type.Integer({ minimum: 0 }) }))
const parseIndices = parserOf(
  Type.Array(
    Type.Object({
      index: Type.String(),
      'docs.count': Type.Union([Type.String(), Type.Null()]),
      'store.size': Type.Union([Type.String(), Type.Null()]),
    }),
  ),
)
const parseByQuery = parserOf(
  Type.Object({
    updated: Type.Optional(Type.Integer()),
    deleted: Type.Optional(Type.Integer()),
    version_conflicts: Type.Integer(),
    failures: Type.Array(Type.Unknown()),
  }),
)

const isPreserved = { term: { preserved: true } }
const optional = 'ignore_unavailable=true&allow_no_indices=true'

/** Lists the indices of log lines, the oldest day first. */
export async function listDays(api: OpensearchApi): Promise<readonly DayIndex[]> {
  const path = `/_cat/indices/${logIndices}?format=json&bytes=b&h=index,docs.count,store.size&expand_wildcards=open`
  const rows = parseIndices((await api.ask({ method: 'GET', path })) ?? [])
  return rows
    .flatMap((row) => {
      const [, year, month, day] = /^hostreeve-logs-(\d{4})\.(\d\d)\.(\d\d)$/.exec(row.index) ?? []
      if (day === undefined) return []
      const documents = Number(row['docs.count'] ?? 0)
      const sizeBytes = Number(row['store.size'] ?? 0)
      return [{ index: row.index, day: `${year}-${month}-${day}`, documents, sizeBytes }]
    })
    .toSorted((one, other) => one.day.localeCompare(other.day))
}

/** Counts the lines that are preserved. */
export const countPreserved = async (api: OpensearchApi): Promise<number> =>
  count(api, logIndices, isPreserved)

/** Flags the lines that one of these queries matches, and takes the flag from all others; returns how many changed. */
export async function flagPreserved(api: OpensearchApi, queries: readonly LogQuery[]): Promise<number> {
  const wanted = anyOf(queries)
  const raised = await changeFlags(api, true, { bool: { must: [wanted], must_not: [isPreserved] } })
  const lowered = await changeFlags(api, false, { bool: { must: [isPreserved], must_not: [wanted] } })
  return raised + lowered
}

/** Deletes the lines of a day that are not preserved, and its index if none is left; returns how many lines. */
export async function deleteDay(
  api: OpensearchApi,
  { index, documents }: DayIndex,
  preserving: readonly LogQuery[],
): Promise<number> {
  assertLogIndex(index)
  const spared = { bool: { should: [isPreserved, anyOf(preserving)], minimum_should_match: 1 } }
  const left = await count(api, index, spared)
  if (left === 0) {
    await api.ask({ method: 'DELETE', path: `/${index}` })
    return documents
  }
  const query = { bool: { must_not: [spared] } }
  const path = `/${index}/_delete_by_query?refresh=true&conflicts=proceed`
  return finished(await api.askLong({ method: 'POST', path, body: { query } }), 'delete').deleted ?? 0
}

/** The disk of the index data, in bytes; of several nodes, that of the fullest. */
export async function readDisk(api: OpensearchApi) {
  const body = await api.ask({ method: 'GET', path: '/_nodes/stats/fs,jvm,indices' })
  const [node] = Object.values(parseNodes(body).nodes).toSorted((one, other) => freeOf(one) - freeOf(other))
  const { total_in_bytes: totalBytes, available_in_bytes: availableBytes } = node?.fs.total ?? none
  return { totalBytes, availableBytes, heapPercent: node?.jvm.mem.heap_used_percent ?? 0 }
}

const none = { total_in_bytes: 0, available_in_bytes: 0 }
interface NodeDisk {
  readonly fs: { readonly total: typeof none }
}

const freeOf = ({ fs: { total } }: NodeDisk): number =>
  total.total_in_bytes === 0 ? 1 : total.available_in_bytes / total.total_in_bytes
const Bytes = Type.Integer({ minimum: 0 })
const parseNodes = parserOf(
  Type.Object({
    nodes: Type.Record(
      Type.String(),
      Type.Object({
        fs: Type.Object({ total: Type.Object({ total_in_bytes: Bytes, available_in_bytes: Bytes }) }),
        jvm: Type.Object({ mem: Type.Object({ heap_used_percent: Type.Integer() }) }),
      }),
    ),
  }),
)

/** An index to delete is one of log lines, whatever the backend answered. */
function assertLogIndex(index: string): void {
  if (!index.startsWith(indexPrefix) || /[*,/?]/.test(index)) throw new Error(`${index} holds no log lines`)
}

/** No query at all matches nothing. */
const anyOf = (queries: readonly LogQuery[]): object =>
  queries.length === 0
    ? { match_none: {} }
    : { bool: { should: queries.map(matching), minimum_should_match: 1 } }

async function count(api: OpensearchApi, index: string, query: object): Promise<number> {
  const path = `/${index}/_count?${optional}`
  return parseCount((await api.ask({ method: 'POST', path, body: { query } })) ?? { count: 0 }).count
}

async function changeFlags(api: OpensearchApi, isOn: boolean, query: object): Promise<number> {
  const path = `/${logIndices}/_update_by_query?refresh=true&conflicts=proceed&${optional}`
  const script = { lang: 'painless', source: `ctx._source.preserved = ${isOn}` }
  const reply = await api.askLong({ method: 'POST', path, body: { query, script } })
  return finished(reply, 'flag').updated ?? 0
}

/** A part that failed stops what would follow, such as a deletion of lines that have no flag yet. */
function finished(reply: unknown, verb: string) {
  const outcome = parseByQuery(reply)
  if (outcome.failures.length > 0 || outcome.version_conflicts > 0)
    throw BackendFailed(
      `some lines could not be ${verb === 'flag' ? 'flagged' : 'deleted'}: ${JSON.stringify(outcome.failures[0] ?? 'they changed meanwhile').slice(0, 500)}`,
    )
  return outcome
}
