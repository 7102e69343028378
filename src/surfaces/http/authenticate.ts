import { networkOf } from '../../core/attempt-counts.ts'
import type { FastifyRequest } from 'fastify'
import type { Caller, Visitor } from '../../core/caller.ts'
import { decidesChange } from '../../core/endpoint.ts'
import { assertFresh } from '../../core/fresh-factor.ts'
import { admits, type Guard, refusal, type SocketPurpose, superuser } from '../../core/guard.ts'
import { FeatureDisabled, Forbidden, PluginDisabled, Unauthorized } from '../../core/problem.ts'
import type { Route } from '../routes.ts'
import { admitByKey, queryText } from './admit-key.ts'
import { attemptLimit } from './limits.ts'
import { isLoopback } from './own-site.ts'

/** Finds the caller of a credential; undefined if it is invalid or has expired. */
export interface Credentials {
  find(token: string, visitor: Visitor): Caller | undefined | Promise<Caller | undefined>
  /** Returns a signal that ends with the caller's credential; it is released after the response. */
  hold(caller: Caller): { readonly signal: AbortSignal; release(): void }
}

/** The features and plugins that can be switched off on this host. */
export interface Switches {
  isPluginEnabled(name: string): boolean
  isFeatureEnabled(name: string): boolean
}

/** A valid socket token that is not consumed yet: its caller, and the user whose shell or chat it opens. */
export interface SocketToken {
  readonly caller: Caller
  readonly userId?: number
}

/** Tokens that open one socket each. */
export interface SocketTokens {
  find(token: string, purpose: SocketPurpose, visitor: Visitor): Promise<SocketToken | undefined>
  /** Consumes a token by a successful upgrade; false if another upgrade consumed it first. */
  consume(token: string): boolean
}

/** The parts that decide whether a caller is admitted. */
export interface Admission {
  readonly credentials: Credentials
  readonly socketTokens?: SocketTokens
  readonly switches: Switches
  /** How long a code of the second factor counts as fresh; absent or 0 if none is asked for again. */
  readonly freshFactorMs?: number
}

const failedAttempts = attemptLimit(60)

/** The caller, at once if nothing must be waited for: the credentials of recent callers are in memory. */
type Found = Caller | undefined | Promise<Caller | undefined>

/** Admits a request or throws: credential, guard, feature, plugin, in this order (decision 1.1). */
export function admit(route: Route, request: FastifyRequest, visitor: Visitor, gates: Admission): Found {
  const found = callerOf(route, request, visitor, gates)
  return found instanceof Promise
    ? found.then((caller) => admitted(route, request, caller, gates))
    : admitted(route, request, found, gates)
}

function admitted(
  route: Route,
  request: FastifyRequest,
  caller: Caller | undefined,
  gates: Admission,
): Caller | undefined {
  if (caller && !admits(route.guard, caller)) throw Forbidden(refusal(route.guard))
  const { feature, plugin } = route.area
  if (feature && !gates.switches.isFeatureEnabled(feature))
    throw FeatureDisabled(`The feature ${feature} is not licensed`)
  if (plugin && !gates.switches.isPluginEnabled(plugin))
    throw PluginDisabled(`The plugin ${plugin} is disabled: a superuser can enable it`)
  const { effect, changesAccess } = route.endpoint
  if (caller?.isLimited && changesAccess)
    throw Forbidden('This key is limited: sign in, or use a key without limits')
  if (caller && (effect === 'destroys' || changesAccess) && !(decidesChange(effect) && asksForPlan(request)))
    assertFresh(caller, gates.freshFactorMs)
  return caller
}

/** A plan destroys nothing. */
function asksForPlan({ query }: FastifyRequest): boolean {
  const { plan } = query as { plan?: unknown }
  return plan === '1' || plan === 'true'
}

function callerOf(
  { guard, context }: Route,
  request: FastifyRequest,
  visitor: Visitor,
  gates: Admission,
): Found {
  const { authorization } = request.headers
  if (guard.kind === 'socket-token') return callerBySocketToken(guard.purpose, request, visitor, gates)
  if (guard.kind !== 'key') return authenticate(guard, authorization, visitor, gates.credentials)
  const asSuperuser = async () => {
    const caller = await authenticate(superuser, authorization, visitor, gates.credentials)
    if (caller && !admits(superuser, caller)) throw Forbidden(refusal(superuser))
    return caller
  }
  const countFailure = () => failedAttempts.count(networkOf(visitor.ip))
  return admitByKey(guard, { request, visitor, context, asSuperuser, countFailure })
}

/** Reads the token of a socket request from the query, as browsers cannot send a header with it. */
export const socketTokenOf = (request: FastifyRequest): string => queryText(request, 'token')

async function callerBySocketToken(
  purpose: SocketPurpose,
  request: FastifyRequest,
  visitor: Visitor,
  { socketTokens }: Admission,
): Promise<Caller> {
  const token = socketTokenOf(request)
  const found = token === '' ? undefined : await socketTokens?.find(token, purpose, visitor)
  if (found === undefined) {
    if (token !== '') failedAttempts.count(networkOf(visitor.ip))
    throw Unauthorized('token: is missing, expired, used or for another purpose')
  }
  request.tokenUserId = found.userId
  return found.caller
}

function authenticate(
  guard: Guard,
  authorization: string | undefined,
  visitor: Visitor,
  credentials: Credentials,
): Found {
  if (guard.kind === 'open' && (!guard.checksCredential || authorization === undefined)) return undefined
  const token = bearerOf(authorization)
  const found = token === undefined ? undefined : credentials.find(token, visitor)
  const orRefuse = (caller: Caller | undefined) => caller ?? refuse(authorization, visitor)
  return found instanceof Promise ? found.then(orRefuse) : orRefuse(found)
}

/**
 * Tokens cannot be guessed: the limit saves work. All accounts of this host have one address, and the browser behind a tunnel
 * must learn that its token has expired, whatever others send.
 */
function refuse(authorization: string | undefined, { ip }: Visitor): never {
  if (authorization !== undefined && !isLoopback(ip)) failedAttempts.count(networkOf(ip))
  throw Unauthorized()
}

function bearerOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.length > 8192) return undefined
  return /^Bearer +([\w.~+/=-]+)$/i.exec(authorization)?.[1]
}
