/** A failure that the caller can act on. Everything that is not a Problem is a bug and answers 500 without its text. */
export class Problem extends Error {
  readonly kind: ProblemKind
  /** Further fields of the reply beside code and message, such as the diff of a file edited by hand. */
  readonly fields: Readonly<Record<string, unknown>>

  constructor(kind: ProblemKind, detail?: string, options: ProblemOptions = {}) {
    super(detail ?? kind.text, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Problem'
    this.kind = kind
    this.fields = options.fields ?? {}
  }
}

interface ProblemOptions {
  readonly cause?: unknown
  readonly fields?: Readonly<Record<string, unknown>>
}

/** One kind of failure: its code and status unless an endpoint names others, and its text in product words. */
export interface ProblemKind {
  readonly code: string
  readonly status: number
  readonly text: string
  (detail?: string, options?: ProblemOptions): Problem
}

/**
 * Declares a kind of failure. Calling the constant makes the Problem to throw; its detail quotes what the caller sent.
 *
 *     export const DomainTaken = problem('bad_request', 400, 'The domain is taken')
 *     throw DomainTaken('domain: example.com belongs to another website')
 */
export function problem(code: string, status: number, text: string): ProblemKind {
  const kind: ProblemKind = Object.assign(
    (detail?: string, options?: ProblemOptions) => new Problem(kind, detail, options),
    {
      code,
      status,
      text,
    },
  )
  return kind
}

/** Kinds that any endpoint may answer without listing them (decisions 1.1 to 1.4 and 1.14). */
export const BadRequest = problem('bad_request', 400, 'The request is not valid')
export const Unauthorized = problem('unauthorized', 401, 'Sign in, or send a valid access token or API key')
export const Forbidden = problem('forbidden', 403, 'Your account may not do this')
export const FeatureDisabled = problem('feature_disabled', 403, 'This feature is not licensed')
export const PluginDisabled = problem('plugin_disabled', 403, 'This plugin is disabled')
export const NotFound = problem('not_found', 404, 'There is no such thing here')
export const MethodNotAllowed = problem('method_not_allowed', 405, 'This path does not take this method')
export const Conflict = problem('conflict', 409, 'It was changed meanwhile: read it again')
export const EditedByHand = problem(
  'edited_by_hand',
  409,
  'A file was edited by hand since the panel wrote it',
)
export const InProgress = problem('in_progress', 409, 'A request with this Idempotency-Key is still running')
export const IdempotencyConflict = problem(
  'idempotency_conflict',
  409,
  'This Idempotency-Key was used with another request',
)
export const AlreadyDone = problem(
  'already_done',
  409,
  'A request with this Idempotency-Key was carried out; its answer held a secret and is not kept',
)
export const PayloadTooLarge = problem('payload_too_large', 413, 'The request body is too large')
export const RateLimited = problem('rate_limited', 429, 'Too many attempts: wait and try again')
export const ServerError = problem('server_error', 500, 'Something went wrong on the server')
export const DiskFull = problem('insufficient_storage', 507, 'The disk is full')
export const Unavailable = problem('unavailable', 503, 'Something this needs is missing on the host')

export const universalProblems: readonly ProblemKind[] = [
  BadRequest,
  Unauthorized,
  Forbidden,
  FeatureDisabled,
  PluginDisabled,
  NotFound,
  MethodNotAllowed,
  Conflict,
  EditedByHand,
  InProgress,
  IdempotencyConflict,
  AlreadyDone,
  PayloadTooLarge,
  RateLimited,
  ServerError,
  DiskFull,
  Unavailable,
]
