import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Executor } from '../../changes/executor.ts'
import type { LongWork } from '../../changes/long-work/index.ts'
import type { Caller, Visitor } from '../../core/caller.ts'
import { decidesChange, type Log, type RpcHeaders } from '../../core/endpoint.ts'
import type { Outbox } from '../../core/mirrored.ts'
import { BadRequest, PayloadTooLarge, Unauthorized, Unavailable } from '../../core/problem.ts'
import type { Socket } from '../../core/reply.ts'
import { masker, maskerOfAll } from '../../core/secret.ts'
import type { Route } from '../routes.ts'
import { socketTokenOf } from './authenticate.ts'
import { bodyReader } from './body.ts'
import { answerChange, changing } from './change.ts'
import { connectedAt } from './connections.ts'
import { runConditional } from './conditions.ts'
import { entry, type EntryGates } from './entry.ts'
import { errorStyleOf } from '../error-style.ts'
import { type Failure, failureOf, sendFailure } from './errors.ts'
import { takeForms } from './form.ts'
import { isDirect } from './local-peer.ts'
import { inputBinder, type InputParts } from './input.ts'
import { dependsOnCredential, endWithCredential } from './lifetime.ts'
import { attemptLimit } from './limits.ts'
import { probing } from './probe-entry.ts'
import { revealing } from './reveal.ts'
import { Scope } from './scope.ts'
import { send } from './send.ts'
import { openSocket } from './sockets.ts'
import { answerWork } from './work.ts'

/** The parts of the panel that the HTTP surface uses. */
export interface Gates extends EntryGates {
  readonly executor: Executor
  readonly work: Pick<LongWork, 'plan' | 'ask' | 'ended' | 'follow'>
  readonly log: Log
  readonly nextId: (table: string) => number
  /** The identifier that is assigned next, for plans. Default: a plan takes identifiers as a change does. */
  readonly peekId?: (table: string) => number
  /** What requests put into the outbox for other panels. */
  readonly outbox?: Outbox | undefined
  /** The time between two keep-alive messages of an event stream. Default 15 s. */
  readonly heartbeatMs?: number
  /** The running requests, so that a stopping panel can end them. */
  readonly running: Set<Running>
  /**
   * Records an event that is not a change: a refused attempt at an endpoint that asks for it, or revealed
   * secrets.
   */
  readonly recordEntry: (entry: {
    readonly action: string
    readonly visitor: Visitor
    readonly caller: Caller | undefined
    readonly method: string
    readonly path: string
    readonly request: string
    readonly status: 'ok' | 'failed'
    readonly message: string
  }) => Promise<void>
}

export interface Running {
  readonly scope: Scope
  deadline: number
  /** True for a stream or socket: it never ends by itself, so that a stopping panel does not wait for it. */
  readonly isEndless: boolean
  /**
   * Responds to a reading request whose run exceeds its time; a change is answered once it has been undone.
   */
  readonly answerLate?: (problem: Error) => void
}

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | undefined
    caller: Caller | undefined
    tokenUserId: number | undefined
    /** Set for a request that repeats a change of another panel. */
    isFromPeer?: boolean
  }
  interface FastifyContextConfig {
    countsAttempts?: boolean
  }
}

const defaultTimeoutMs = 60_000
const defaultHeartbeatMs = 15_000

/** Mounts one endpoint: admit, bind, run, respond. What it binds and sends with is made on first use, and schemas are compiled then. */
export function mount(app: FastifyInstance, route: Route, gates: Gates, shared: InputParts): void {
  const { body } = route.endpoint
  const isUpload = body !== undefined && 'kind' in body && body.kind === 'upload'
  if (!isUpload) return addRoute(app, route, gates, { ...shared, prepare: ignoreType })
  void app.register(async (child) => {
    await takeForms(child)
    addRoute(child, route, gates, { ...shared, prepare: asSent })
  })
}

interface Mounting extends InputParts {
  readonly prepare: (request: FastifyRequest) => void
}

/** A body is JSON whatever its Content-Type, even if the Content-Type is malformed. */
const ignoreType = (request: FastifyRequest): void => void delete request.raw.headers['content-type']
const asSent = (): void => {}

function addRoute(app: FastifyInstance, route: Route, gates: Gates, mounting: Mounting): void {
  const { intake, prepare } = mounting
  const { endpoint } = route
  const hasText = endpoint.body !== undefined && prepare === ignoreType
  let handle: ReturnType<typeof handlerOf> | undefined
  app.route({
    method: endpoint.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { countsAttempts: endpoint.rateLimit !== undefined || route.guard.kind === 'open' },
    onRequest: entry(route, gates, prepare),
    ...(hasText && { preValidation: bodyReader(route, intake) }),
    handler: (request, reply) => (handle ??= handlerOf(route, gates, mounting))(request, reply),
    errorHandler: (error, request, reply) => answerFailure(route, gates, { error, request, reply }),
  })
}

/** Makes what answers the requests of a route; throws for a declaration that is wrong. */
// oxlint-disable-next-line max-lines-per-function -- one sequence over shared local state
export function handlerOf(route: Route, gates: Gates, mounting: InputParts) {
  const { endpoint } = route
  const bind = inputBinder(route, mounting)
  const limit = endpoint.rateLimit && {
    ...endpoint.rateLimit,
    counter: attemptLimit(endpoint.rateLimit.perMinute),
  }
  const usual = {
    kind: endpoint.reply.kind,
    status: endpoint.reply.status,
    mask: endpoint.reply.schema && masker(endpoint.reply.schema),
    heartbeatMs: gates.heartbeatMs ?? defaultHeartbeatMs,
  }
  const forAgents = { ...usual, mask: endpoint.reply.schema && maskerOfAll(endpoint.reply.schema) }
  const changes = decidesChange(endpoint.effect) ? changing(route) : undefined
  const probe = probing(route, gates)
  const reveals = revealing(route)
  const isEndless = ['events', 'followed', 'socket'].includes(endpoint.reply.kind)
  const { work } = endpoint.reply
  const hasLimit = work !== undefined || (!isEndless && endpoint.reply.kind !== 'bytes')
  const isLong = dependsOnCredential(endpoint)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const visitor = request.visitor as Visitor
    const { range, 'if-none-match': ifNoneMatch } = request.headers
    const scope = scopeOf(request, visitor, gates)
    const sending = request.caller?.mcpKeyId === undefined ? usual : forAgents
    Object.assign(scope, route.context)
    const answerLate = (error: Error) =>
      void (reply.sent || answerFailure(route, gates, { error, request, reply }))
    const deadline = hasLimit ? performance.now() + (endpoint.timeoutMs ?? defaultTimeoutMs) : Infinity
    const running: Running = { scope, deadline, isEndless, ...(changes === undefined && { answerLate }) }
    const forget = () => void gates.running.delete(running)
    let isChanging = false // a change continues after the caller disconnects, until its own limit
    gates.running.add(running)
    reply.raw.once('close', () => {
      if (!isChanging) forget()
      if (!reply.raw.writableFinished) scope.leave(Unavailable('The caller went away'))
    })
    if (isLong) endWithCredential(gates.credentials, scope, reply.raw)
    const bound = bind(request, scope)
    if (bound instanceof Promise) await bound
    if (limit) for (const key of limit.keys({ visitor, body: scope.body })) limit.counter.count(key)
    if (changes) {
      const answering = { route, gates, changes, sending, scope, request, reply }
      const onOrdered = () => void (running.deadline = Infinity)
      if (work) return answerWork({ ...answering, kind: work, onOrdered })
      isChanging = true
      return answerChange(answering).finally(forget)
    }
    const isRevealed = reveals?.isAsked(scope) ?? false
    if (endpoint.target) scope.target = await endpoint.target(scope)
    const isConditional = sending.kind === 'bytes' && ifNoneMatch !== undefined && range !== undefined
    const pending = isConditional
      ? runConditional(endpoint.run, scope, { ifNoneMatch, range })
      : (probe?.(() => endpoint.run(scope), scope, request) ?? endpoint.run(scope))
    const value = pending instanceof Promise ? await pending : pending
    if (isRevealed) await reveals?.record(gates, scope, request)
    if (sending.kind === 'socket') return openTalk(route, gates, { request, reply, scope, value })
    return send(
      reply,
      isRevealed ? { ...sending, mask: undefined } : sending,
      value,
      scope.query,
      () => scope.signal,
    )
  }
}

function scopeOf(request: FastifyRequest, visitor: Visitor, { log, nextId }: Gates): Scope {
  const { range, 'if-range': ifRange, 'last-event-id': lastEventId } = request.headers
  return new Scope({
    visitor,
    caller: request.caller,
    log,
    id: nextId,
    range,
    ifRange: typeof ifRange === 'string' ? ifRange : undefined,
    lastEventId: lastEventId as string | undefined,
    tokenUserId: request.tokenUserId,
    connectedAt: connectedAt(request.raw.socket),
    isDirect: () => isDirect(request),
    rpcHeaders: () => rpcHeadersOf(request),
  })
}

function rpcHeadersOf({ headers }: FastifyRequest): RpcHeaders {
  const one = (name: string): string | undefined => {
    const value = headers[name]
    return typeof value === 'string' ? value : undefined
  }
  return { version: one('mcp-protocol-version'), method: one('mcp-method'), name: one('mcp-name') }
}

const isTalk = (value: unknown): value is (socket: Socket) => Promise<void> => typeof value === 'function'

interface Talking {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly scope: Scope
  /** The return value of the run: a function that receives the socket. */
  readonly value: unknown
}

/**
 * Consumes the token of a socket, then upgrades: a token that another request consumed first opens nothing.
 */
function openTalk(route: Route, gates: Gates, { request, reply, scope, value }: Talking): FastifyReply {
  if (!isTalk(value)) throw new TypeError(`${route.path} gives no function that is handed the socket`)
  if (route.guard.kind === 'socket-token' && !gates.socketTokens?.consume(socketTokenOf(request)))
    throw Unauthorized('token: was used meanwhile')
  return openSocket({
    request,
    reply,
    talk: value,
    signal: scope.signal,
    heartbeatMs: gates.heartbeatMs ?? defaultHeartbeatMs,
    log: gates.log,
  })
}

interface Failed {
  readonly error: unknown
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

function answerFailure(route: Route, gates: Gates, { error, request, reply }: Failed): FastifyReply {
  const failure = failureOf(fastifyProblem(error), request.id, route)
  if (failure.bug !== undefined)
    gates.log.error({ err: failure.bug, requestId: request.id, path: route.path }, 'a request failed')
  if (route.endpoint.reply.kind === 'rpc' && unparsable.has(failure.status))
    return sendParseError(reply, failure)
  return sendFailure(reply, failure, errorStyleOf(route, failure.code))
}

/** A body that is no JSON-RPC request, or too large, is answered by JSON-RPC too (decision 3.17). */
const unparsable: ReadonlySet<number> = new Set([BadRequest.status, PayloadTooLarge.status])

function sendParseError(reply: FastifyReply, { message }: Failure): FastifyReply {
  const error = { code: -32700, message }
  return reply
    .code(200)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ jsonrpc: '2.0', id: null, error }))
}

/** Translates Fastify's own errors into problems. */
export function fastifyProblem(error: unknown): unknown {
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || code === 'FST_REQ_FILE_TOO_LARGE') return PayloadTooLarge()
  if (typeof code === 'string' && code.startsWith('FST_') && statusCode === 413)
    return PayloadTooLarge((error as Error).message)
  if (typeof code === 'string' && code.startsWith('FST_') && statusCode !== undefined && statusCode < 500)
    return BadRequest((error as Error).message)
  return error
}
