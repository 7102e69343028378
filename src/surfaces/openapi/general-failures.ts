import { decidesChange, type Endpoint } from '../../core/endpoint.ts'
import {
  AlreadyDone,
  BadRequest,
  Busy,
  Conflict,
  DiskFull,
  EditedByHand,
  FactorRequired,
  FeatureDisabled,
  Forbidden,
  HeldByChange,
  HeldByJob,
  IdempotencyConflict,
  InProgress,
  NotFound,
  PayloadTooLarge,
  PlanStale,
  PluginDisabled,
  type ProblemKind,
  RateLimited,
  RequestTimeout,
  ServerError,
  Unauthorized,
  Unavailable,
  UpgradeRequired,
} from '../../core/problem.ts'
import { canReveal } from '../../core/secret.ts'
import { HeadersTooLarge } from '../http/malformed.ts'
import type { Route } from '../routes.ts'

/** Returns the failures that a route answers without declaring them: those of its gates, its input and its effect. */
export function generalFailures(route: Route): readonly ProblemKind[] {
  const { endpoint, guard, area } = route
  const isGuarded = guard.kind !== 'open' || guard.checksCredential === true
  return [
    BadRequest,
    ...(isGuarded ? [Unauthorized] : []),
    ...(isForbiddenToSome(route) ? [Forbidden] : []),
    ...(area.feature ? [FeatureDisabled] : []),
    ...(area.plugin ? [PluginDisabled] : []),
    ...((endpoint.effect === 'destroys' || endpoint.changesAccess) && isGuarded ? [FactorRequired] : []),
    ...(namesObject(endpoint) ? [NotFound] : []),
    RequestTimeout,
    ...(endpoint.body ? [PayloadTooLarge] : []),
    ...(decidesChange(endpoint.effect) ? conflicts : []),
    ...(endpoint.reply.kind === 'socket' ? [UpgradeRequired] : []),
    ...(isGuarded || endpoint.rateLimit ? [RateLimited] : []),
    HeadersTooLarge,
    ServerError,
    Unavailable,
    Busy,
    ...(decidesChange(endpoint.effect) ? [DiskFull] : []),
  ]
}

const conflicts = [
  Conflict,
  HeldByJob,
  HeldByChange,
  EditedByHand,
  PlanStale,
  InProgress,
  IdempotencyConflict,
  AlreadyDone,
]

/** The guard or the object may exclude a caller; a request that is not a GET may come from a foreign page. */
function isForbiddenToSome({ guard, endpoint }: Route): boolean {
  if (endpoint.method !== 'GET' || ['socket', 'rpc'].includes(endpoint.reply.kind)) return true
  if (guard.kind !== 'open' && guard.kind !== 'signed-in') return true
  return canReveal(endpoint.query) || namesObject(endpoint)
}

/** True if the path, the query or the body names an object that may be missing or belong to someone else. */
function namesObject({ params, query, body, target }: Endpoint): boolean {
  if (target !== undefined) return true
  const sent = body && 'kind' in body && body.kind === 'upload' ? body.fields : body
  return fieldsOf(params).length > 0 || [...fieldsOf(query), ...fieldsOf(sent)].some(isReference)
}

const isReference = (name: string): boolean => /^(?:username|uid|ids?)$|_ids?$/.test(name)

const fieldsOf = (schema: unknown): readonly string[] =>
  Object.keys((schema as { readonly properties?: object } | undefined)?.properties ?? {})
