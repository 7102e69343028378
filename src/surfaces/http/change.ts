import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { DescribedChange } from '../../changes/plan.ts'
import type { Change } from '../../core/change.ts'
import { BadRequest, Conflict, OldConnection, Problem } from '../../core/problem.ts'
import { holdsSecret, redactor } from '../../core/secret.ts'
import { actionOf, type Route } from '../routes.ts'
import { idempotencyOf, isUpload } from './idempotency.ts'
import type { Gates } from './mount.ts'
import { outboxOf } from './outbox.ts'
import { asPlanned, foreseenIds, withSameIds } from './plan-digest.ts'
import type { Scope } from './scope.ts'
import { send, type Sending } from './send.ts'
import { refreshCookieName } from './visitor.ts'

/** The parts of a changing route besides its declaration; made once. */
export interface Changing {
  readonly action: string
  readonly redact: Readonly<Record<'params' | 'query' | 'body', ((value: unknown) => unknown) | undefined>>
  readonly keepsReply: boolean
}

/** Prepares the activity entries of a changing route. */
export function changing(route: Route): Changing {
  const { endpoint } = route
  const { body, reply } = endpoint
  const schema = body && ('kind' in body && body.kind === 'upload' ? body.fields : body)
  const redactAll = {
    params: endpoint.params && redactor(endpoint.params),
    query: endpoint.query && redactor(endpoint.query),
    body: schema && redactor(schema as TSchema),
  }
  return {
    action: actionOf(route),
    redact: redactAll,
    keepsReply: reply.schema !== undefined && reply.kind !== 'events' && !holdsSecret(reply.schema),
  }
}

export interface Answering {
  readonly route: Route
  readonly gates: Gates
  readonly changes: Changing
  readonly sending: Sending
  readonly scope: Scope
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Carries out the change that a request decides on, or returns its plan if `?plan=1` is sent. */
export async function answerChange(answering: Answering): Promise<FastifyReply> {
  const { route, gates, changes, sending, scope, request, reply } = answering
  const { endpoint } = route
  const decide = async () => (await runOn(route, scope, request.headers['if-match'])) as Change
  const entry = entryOf(answering)
  try {
    if (isPlan(request)) {
      if (gates.peekId) scope.id = foreseenIds(gates.peekId)
      return sendPlan(answering, await gates.executor.plan(decide))
    }
    const idempotency = idempotencyOf(route, request, scope)
    const decideAgain = withSameIds(scope.id, (id) => {
      scope.id = id
      return decide()
    })
    const order = {
      decide: asPlanned(request, decideAgain),
      actor: { entry, outbox: await outboxOf(answering, entry) },
      keepsReply: changes.keepsReply,
      signal: scope.signal,
      // an upload ends when its client disconnects
      actSignal: isUpload(scope.body) ? scope.signal : scope.actSignal,
      ...(idempotency && { idempotency }),
    }
    const outcome = await gates.executor.execute(order)
    void reply.header('x-change-id', String(outcome.changeId))
    nameUndo(reply, outcome.isUndoable ? outcome.activityId : undefined)
    if (outcome.isRepeat) void reply.header('idempotency-replayed', 'true')
    setCookie(reply, endpoint.refreshCookie?.(outcome.reply))
    return send(reply, sending, outcome.reply, scope.query, () => scope.signal)
  } catch (error) {
    // a browser would go on with this connection
    if (error instanceof Problem && error.kind === OldConnection) void reply.header('connection', 'close')
    if (endpoint.recordsRefusals && error instanceof Problem)
      await gates.recordEntry({
        ...entry,
        status: 'failed',
        visitor: scope.visitor,
        caller: scope.callerIfAny,
        message: error.message,
      })
    throw error
  }
}

/** Calls `run` and returns the change, or the input of long work. */
export async function runOn(
  { endpoint }: Route,
  scope: Scope,
  ifMatch: string | undefined,
): Promise<unknown> {
  if (endpoint.target) {
    scope.target = await endpoint.target(scope)
    checkRevision(scope.target, ifMatch)
  }
  return endpoint.run(scope)
}

function checkRevision(target: unknown, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch === '*') return
  const revision = (target as { revision?: unknown } | null)?.revision
  if (typeof revision !== 'number') return
  const wanted = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (!wanted.includes(`"${revision}"`))
    throw Conflict(`If-Match: this is at revision "${revision}" by now; read it again`)
}

/** True if a request asks for the plan only; throws BadRequest if that is unclear. */
export function isPlan(request: FastifyRequest): boolean {
  const { plan } = request.query as { plan?: unknown }
  if (plan === undefined || plan === '0' || plan === 'false') return false
  if (plan === '1' || plan === 'true') return true
  // an unclear value must not carry the change out
  throw BadRequest('plan: must be 1 or true for the plan alone, or 0 or false for the change')
}

/** Responds with the plan, its digest, and what else is known of the change. */
export function sendPlan(
  { route, reply }: Answering,
  { digest, ...plan }: DescribedChange,
  more: object = {},
): FastifyReply {
  const body = JSON.stringify({ data: { effect: route.endpoint.effect, ...plan, ...more } })
  void reply.header('x-plan-digest', digest)
  return reply.code(200).type('application/json; charset=utf-8').send(body)
}

/** The activity entry of a request, without its secrets. */
export function entryOf({
  route,
  changes,
  scope,
  request,
}: Pick<Answering, 'route' | 'changes' | 'scope' | 'request'>) {
  const { callerIfAny: caller } = scope
  return {
    action: changes.action,
    user_id: caller?.user.id ?? null,
    key_id: caller?.keyId ?? null,
    mcp_key_id: caller?.mcpKeyId ?? null,
    ip: scope.visitor.ip,
    method: route.endpoint.method,
    path: request.url.split('?')[0] as string,
    request: redactedRequest(changes, scope, request),
    request_id: request.id,
  }
}

/** The input of a request without secrets and file contents, at most 16 KiB, and the panel whose change it repeats. */
function redactedRequest(
  { redact }: Changing,
  scope: Scope,
  { isFromPeer, headers }: FastifyRequest,
): string {
  const asked = isUpload(scope.body) ? scope.body.fields : scope.body
  const show = (part: keyof typeof redact, value: unknown) => (redact[part] ? redact[part](value) : value)
  const params = show('params', scope.params)
  const source = isFromPeer && headers['x-replication-source']
  const shown = { params, query: show('query', scope.query), body: show('body', asked) }
  const text = JSON.stringify({ ...shown, ...(source && { source }) })
  return text.length <= 16_384 ? text : JSON.stringify({ params, cut: true, ...(source && { source }) })
}

/** Names the activity entry by which a change can be undone. */
export function nameUndo(reply: FastifyReply, undoId: number | undefined): void {
  if (undoId !== undefined) void reply.header('x-undo-id', String(undoId))
}

function setCookie(
  reply: FastifyReply,
  cookie: { readonly token: string; readonly expiresAt: Date } | 'clear' | undefined,
): void {
  if (cookie === undefined) return
  const [value, expires] = cookie === 'clear' ? ['', new Date(0)] : [cookie.token, cookie.expiresAt]
  const secure = reply.request.protocol === 'https' ? '; Secure' : ''
  void reply.header(
    'set-cookie',
    `${refreshCookieName}=${value}; Path=/api/auth; HttpOnly; SameSite=Strict; Expires=${expires.toUTCString()}${secure}`,
  )
}
