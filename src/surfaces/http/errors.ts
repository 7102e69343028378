import type { FastifyReply } from 'fastify'
import { type Endpoint, type ErrorStyle, kindsOf } from '../../core/endpoint.ts'
import {
  BadRequest,
  Problem,
  problem,
  type ProblemKind,
  RateLimited,
  ServerError,
  universalProblems,
  Unauthorized,
  Unavailable,
} from '../../core/problem.ts'
import type { Route } from '../routes.ts'
import { hostFailureOf } from './host-failure.ts'

/** A failure as it is sent. */
export interface Failure {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  /** Set if it differs from that of the endpoint. */
  readonly style?: ErrorStyle | undefined
  /** Set when this is a bug: logged once, and its text stays inside. */
  readonly bug?: unknown
}

/**
 * Finds the code and status that an endpoint gives to the error that its run threw. An undeclared problem is
 * a bug.
 */
export function failureOf(error: unknown, requestId: string, route?: Route): Failure {
  if (!(error instanceof Problem)) return unreadable(error, route) ?? bug(error, requestId)
  const declared = route && declaredFor(error, route.endpoint)
  if (declared === undefined && !universalProblems.includes(error.kind)) return bug(error, requestId)
  const { code, status, style }: Answered = declared ?? error.kind
  const { message, headers } = error
  const failure = { status, code, style, message, headers, fields: declaredFields(error) }
  return status >= 500 && error.cause !== undefined ? { ...failure, bug: error } : failure
}

/** A read that fails because of the host, and not of the panel, says why. */
function unreadable(error: unknown, route?: Route): Failure | undefined {
  const reason = route?.endpoint.effect === 'reads' ? hostFailureOf(error) : undefined
  if (reason === undefined) return undefined
  const { status, code } = Unavailable
  return {
    status,
    code,
    message: `The host could not be read: ${reason}`,
    fields: {},
    headers: {},
    bug: error,
  }
}

function bug(error: unknown, requestId: string): Failure {
  return {
    status: ServerError.status,
    code: ServerError.code,
    message: `${ServerError.text} (request ${requestId})`,
    fields: {},
    headers: {},
    bug: error,
  }
}

/** The fields that the kind declares; any failure may state that a part was done. */
function declaredFields({ kind, fields }: Problem): Failure['fields'] {
  const declared = kind.fields?.properties ?? {}
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => name === 'is_partial' || Object.hasOwn(declared, name)),
  )
}

type Answered = Pick<Failure, 'code' | 'status' | 'style'>

function declaredFor({ kind, status: passed }: Problem, endpoint: Endpoint): Answered | undefined {
  if (endpoint.invalid && kind === invalidOf(endpoint)) return endpoint.invalid
  for (const [code, failure] of Object.entries(endpoint.throws ?? {})) {
    const { kinds, status, style } = kindsOf(failure)
    if (kinds.includes(kind)) return { code, status: passed ?? status ?? kind.status, style }
  }
  return undefined
}

const invalidKinds = new WeakMap<Endpoint, ProblemKind>()

/** The failure of a body that does not bind; an endpoint may override its code and status. */
export function invalidOf(endpoint: Endpoint): ProblemKind {
  if (endpoint.invalid === undefined) return BadRequest
  const { code, status } = endpoint.invalid
  const kind = invalidKinds.get(endpoint) ?? problem(code, status, BadRequest.text)
  invalidKinds.set(endpoint, kind)
  return kind
}

/** Sends a failure in its endpoint's style, or as RFC 9457 if the caller asked for that. */
export function sendFailure(reply: FastifyReply, failure: Failure, style: ErrorStyle): FastifyReply {
  void reply.code(failure.status)
  if (failure.code === Unauthorized.code) void reply.header('www-authenticate', 'Bearer')
  if (failure.code === RateLimited.code) void reply.header('retry-after', '60')
  void reply.headers(failure.headers)
  // The rest of a body that was given up is not drained.
  const isGivenUp = failure.status === 408 || (failure.status === 503 && 'retry-after' in failure.headers)
  if (isGivenUp && !reply.request.raw.complete) void reply.header('connection', 'close')
  const size = failure.fields['size_bytes']
  if (failure.status === 416 && typeof size === 'number')
    void reply.header('content-range', `bytes */${size}`)
  if (reply.request.headers.accept?.includes('application/problem+json'))
    return sendProblemDetails(reply, failure)
  return reply.type('application/json; charset=utf-8').send(
    JSON.stringify({
      error: errorBody(failure, failure.style ?? style),
    }),
  )
}

function errorBody({ code, message, fields, status }: Failure, style: ErrorStyle): unknown {
  if (style === 'flat') return status === 401 ? 'unauthorized' : status === 403 ? 'forbidden' : message
  if (style === 'message-only') return { message, ...fields }
  return { code, message, ...fields }
}

function sendProblemDetails(reply: FastifyReply, { status, code, message, fields }: Failure): FastifyReply {
  const details = {
    type: 'about:blank',
    title: code.replaceAll('_', ' '),
    status,
    detail: message,
    instance: reply.request.url.split('?')[0],
    code,
    request_id: reply.request.id,
    ...fields,
  }
  return reply.type('application/problem+json').send(JSON.stringify(details))
}
