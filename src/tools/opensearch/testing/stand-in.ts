import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { matches, type Doc, QueryBroken } from './matches.ts'

/** OpenSearch in memory over HTTP, with as much behaviour as the panel uses; strict: it answers 501 to a request that it does not know. */
export interface StandInOpensearch {
  readonly port: number
  /** The lines by index. */
  readonly indices: Map<string, Doc[]>
  readonly templates: Map<string, object>
  /** The reply to searches, if they are not to work. */
  failure: { status: number; body: string } | undefined
  /** The used share of its disk. */
  diskPercent: number
  close(): Promise<void>
}

interface Asked {
  readonly method: string
  readonly segments: readonly string[]
  readonly body: any
}
type State = Omit<StandInOpensearch, 'port' | 'close'>

/** Starts it on a free port of loopback. */
export async function startOpensearch(): Promise<StandInOpensearch> {
  const state: State = { indices: new Map(), templates: new Map(), failure: undefined, diskPercent: 40 }
  const server = createServer(async (request, response) => {
    const { status, body } = answer(state, await read(request))
    const type = typeof body === 'string' ? 'text/plain' : 'application/json'
    response
      .writeHead(status, { 'content-type': type })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return Object.assign(state, { port: (server.address() as AddressInfo).port, close })
}

async function read(request: IncomingMessage): Promise<Asked> {
  const { pathname } = new URL(request.url ?? '/', 'http://opensearch')
  const sent = await text(request)
  const body: unknown = sent === '' ? undefined : JSON.parse(sent)
  return { method: request.method ?? '', segments: decodeURIComponent(pathname).split('/').slice(1), body }
}

const ok = (body: unknown) => ({ status: 200, body })
const refused = (status: number, reason: string) => ({
  status,
  body: { error: { root_cause: [{ type: 'query_shard_exception', reason }], reason }, status },
})

function answer(state: State, asked: Asked): { status: number; body: unknown } {
  const { segments, method, body } = asked
  const [first = '', second = ''] = segments
  if (first === '_cluster') return ok({ status: 'green' })
  if (first === '_index_template') return templateReply(state, method, second, body)
  if (first === '_cat') return ok(listed(state))
  if (first === '_nodes') return ok(nodes(state.diskPercent))
  if (second === '' && method === 'DELETE') return ok({ acknowledged: state.indices.delete(first) })
  if (state.failure !== undefined) return state.failure
  try {
    if (second === '_search') return ok(search(docsOf(state, first), body))
    if (second === '_validate') return ok({ valid: canBeRead(body.query) })
    if (second === '_count') return ok({ count: chosen(state, first, body.query).length })
    if (second === '_update_by_query') return ok(update(chosen(state, first, body.query), body.script.source))
    if (second === '_delete_by_query') return ok(remove(state, first, body.query))
  } catch (error) {
    if (error instanceof QueryBroken) return refused(400, error.message)
    throw error
  }
  return refused(501, `${method} /${segments.join('/')} is not known to the stand-in`)
}

function canBeRead(query: object): boolean {
  try {
    matches(query, {})
    return true
  } catch (error) {
    if (error instanceof QueryBroken) return false
    throw error
  }
}

function templateReply({ templates }: State, method: string, name: string, body: object) {
  const found = templates.get(name)
  if (method === 'PUT') templates.set(name, body)
  if (method === 'DELETE') templates.delete(name)
  if (method !== 'GET') return ok({ acknowledged: true })
  return found === undefined
    ? refused(404, 'index template not found')
    : ok({ index_templates: [{ name, index_template: found }] })
}

const docsOf = ({ indices }: State, pattern: string): Doc[] =>
  [...indices].flatMap(([name, docs]) =>
    pattern === name || (pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1))) ? docs : [],
  )

const chosen = (state: State, pattern: string, query: object): Doc[] =>
  docsOf(state, pattern).filter((doc) => matches(query, doc))

/** A page in ascending order: `sort` are the time in milliseconds and the place of the line among all. */
function pageAfter(docs: readonly Doc[], { query, size, search_after: after }: any) {
  const [afterMs = -1, afterNumber = -1]: readonly number[] = after ?? []
  const placed = docs
    .map((_source, number) => ({
      _source,
      sort: [Date.parse(String(_source['@timestamp'])), number] as const,
    }))
    .filter(({ _source }) => matches(query, _source))
    .toSorted((one, other) => one.sort[0] - other.sort[0] || one.sort[1] - other.sort[1])
  const isLater = ([ms, number]: readonly [number, number]) =>
    ms > afterMs || (ms === afterMs && number > afterNumber)
  return {
    hits: {
      total: { value: placed.length },
      hits: placed.filter(({ sort }) => isLater(sort)).slice(0, size),
    },
  }
}

function search(docs: readonly Doc[], asked: any) {
  const { query, from = 0, size, aggs, sort } = asked
  if (sort?.length === 2) return pageAfter(docs, asked)
  const found = docs
    .filter((doc) => matches(query, doc))
    .toSorted((one, other) => String(other['@timestamp']).localeCompare(String(one['@timestamp'])))
  const hits = {
    total: { value: found.length },
    hits: found.slice(from, from + size).map((_source) => ({ _source })),
  }
  if (aggs === undefined) return { hits }
  const terms = (field: string) => ({
    buckets: [...Map.groupBy(found, (doc) => doc[field]).entries()]
      .filter(([key]) => key !== undefined)
      .map(([key, of]) => ({ key, doc_count: of.length }))
      .toSorted((one, other) => other.doc_count - one.doc_count),
  })
  const hours = Map.groupBy(found, (doc) => String(doc['@timestamp']).slice(0, 13)).entries()
  const buckets = [...hours]
    .map(([hour, of]) => ({ key_as_string: `${hour}:00:00.000Z`, doc_count: of.length }))
    .toSorted((one, other) => one.key_as_string.localeCompare(other.key_as_string))
  const fields = Object.keys(aggs).filter((name) => name !== 'times')
  return {
    hits,
    aggregations: {
      times: { interval: '1h', buckets },
      ...Object.fromEntries(fields.map((field) => [field, terms(field)])),
    },
  }
}

function update(docs: readonly Doc[], script: string) {
  const isOn = script === 'ctx._source.preserved = true'
  if (!isOn && script !== 'ctx._source.preserved = false') throw new Error(`unknown script ${script}`)
  for (const doc of docs) doc['preserved'] = isOn
  return { updated: docs.length, version_conflicts: 0, failures: [] }
}

function remove({ indices }: State, name: string, query: object) {
  const docs = indices.get(name) ?? []
  const left = docs.filter((doc) => !matches(query, doc))
  indices.set(name, left)
  return { deleted: docs.length - left.length, version_conflicts: 0, failures: [] }
}

const listed = ({ indices }: State) =>
  [...indices].map(([index, docs]) => ({
    index,
    'docs.count': String(docs.length),
    'store.size': String(JSON.stringify(docs).length),
  }))

const nodes = (percent: number) => ({
  nodes: {
    one: {
      fs: { total: { total_in_bytes: 1000, available_in_bytes: 1000 - percent * 10 } },
      jvm: { mem: { heap_used_percent: 31 } },
    },
  },
})
