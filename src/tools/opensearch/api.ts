import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { ApiConnection, ApiRequest } from '../../host/apply/steps.ts'
import type { Host } from '../../host/index.ts'
import { type Cluster, connectCluster } from './cluster.ts'
import { apiPort } from './layout.ts'
import { BackendFailed, QueryRefused, ReplyUnreadable } from './problems.ts'

/** The HTTP API of OpenSearch: of this host's node, or of a cluster. */
export interface OpensearchApi {
  /** Sends a request; undefined if there is no such object. Throws QueryRefused for what it calls the caller's error. */
  ask(request: ApiRequest): Promise<unknown>
  /** The same for work that reads or changes many lines. */
  askLong(request: ApiRequest): Promise<unknown>
  /** The connection itself, for steps. */
  readonly connection: ApiConnection
}

const shortMs = 30_000
const longMs = 30 * 60_000
const maxBytes = 64 * 1024 * 1024
const mostMessage = 1000

/** Opens the API on the port of loopback, or that of a cluster once it has nodes. */
export function openApi(
  { connect }: Pick<Host, 'connect'>,
  { port = apiPort, cluster }: { readonly port?: number; readonly cluster: Cluster },
): OpensearchApi {
  const target = (timeoutMs: number): ApiConnection => {
    const here = connect.http({ name: 'OpenSearch', at: { port }, timeoutMs, maxBytes })
    const there = connectCluster(cluster, { timeoutMs, maxBytes })
    return { send: (request) => (cluster.nodes.length === 0 ? here : there).send(request) }
  }
  const sent = (timeoutMs: number) => async (request: ApiRequest) => {
    const { status, body } = await target(timeoutMs).send(request)
    return status === 404 ? undefined : accepted(request, status, body)
  }
  return { ask: sent(shortMs), askLong: sent(longMs), connection: target(shortMs) }
}

function accepted({ method, path }: ApiRequest, status: number, body: unknown): unknown {
  if (status >= 200 && status < 300) return body
  const message = messageIn(body).slice(0, mostMessage)
  if (status === 400) throw QueryRefused(`${fieldIn(message)}${message}`)
  throw BackendFailed(`${method} ${path.split('?')[0] ?? ''}: status ${status}: ${message}`)
}

/** The field of a search that a refusal is about. */
function fieldIn(message: string): string {
  if (/^failed to parse query/i.test(message)) return 'query: '
  return /^(?:failed to parse date|date\[)/i.test(message) ? 'timeFrom or timeTo: ' : ''
}

/** The innermost reason of a refusal, which names what is wrong with a query. */
function messageIn(body: unknown): string {
  const error = fieldOf(body, 'error')
  const roots = fieldOf(error, 'root_cause')
  const first: unknown = Array.isArray(roots) ? roots[0] : undefined
  const reason = fieldOf(first, 'reason') ?? fieldOf(error, 'reason') ?? error
  return typeof reason === 'string' ? reason : (JSON.stringify(body) ?? '')
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** Compiles a parser of replies; one that does not fit is ReplyUnreadable. */
export function parserOf<Schema extends TSchema>(schema: Schema): (body: unknown) => Static<Schema> {
  let compiled: ReturnType<typeof Compile<Schema>> | undefined
  return (body) => {
    compiled ??= Compile(schema)
    if (compiled.Check(body)) return body
    const [first] = compiled.Errors(body)
    throw ReplyUnreadable(
      `OpenSearch: ${first?.instancePath || 'the answer'} ${first?.message ?? 'is unexpected'}`,
    )
  }
}
