import Type, { type Static, type TObject } from 'typebox'

/**
 * A failure that the caller can act on. Everything that is not a Problem is a bug and answers 500 without its
 * text.
 */
export class Problem extends Error {
  readonly kind: ProblemKind
  /** Fields of the reply in addition to code and message, such as the diff of a file edited by hand. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Headers of the reply, in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The status of the program that rejected the request, if the kind passes it on. */
  readonly status: number | undefined

  constructor(kind: ProblemKind, detail?: string, options: ProblemOptions = {}) {
    super(detail ?? kind.text, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Problem'
    this.kind = kind
    this.fields = options.fields ?? {}
    this.headers = options.headers ?? {}
    this.status = kind.passesStatus && isFailure(options.status) ? options.status : undefined
  }
}

interface ProblemOptions<Fields = any> {
  readonly cause?: unknown
  readonly fields?: Fields
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number | undefined
}

/** A program's status below 400 is never used for a failure. */
const isFailure = (status: number | undefined): boolean =>
  status !== undefined && Number.isInteger(status) && status >= 400 && status <= 599

/** Any failure may state that a part was done (decision 0017). */
interface Partly {
  readonly is_partial?: true
}

/**
 * Further fields of a kind of failure, and whether it takes its status from the program that rejected the
 * request.
 */
interface KindOptions<Fields> {
  readonly fields?: Fields
  readonly passesStatus?: boolean
}

/**
 * One kind of failure: its code and status unless an endpoint names others, and its message in product terms.
 */
export interface ProblemKind<Fields = any> {
  readonly code: string
  readonly status: number
  readonly text: string
  /** Fields of the error body in addition to code and message. */
  readonly fields?: TObject
  readonly passesStatus?: boolean
  (detail?: string, options?: ProblemOptions<Fields>): Problem
}

/**
 * Declares a kind of failure. Calling the constant creates the Problem to throw; its detail quotes the caller's input.
 *
 *     export const DomainTaken = problem('bad_request', 400, 'The domain is taken')
 *     throw DomainTaken('domain: example.com belongs to another website')
 */
export function problem<Fields extends TObject | undefined = undefined>(
  code: string,
  status: number,
  text: string,
  options: KindOptions<Fields> = {},
): ProblemKind<(Fields extends TObject ? Static<Fields> : unknown) & Partly> {
  const kind: ProblemKind = Object.assign(
    (detail?: string, given?: ProblemOptions) => new Problem(kind, detail, given),
    { code, status, text, ...options },
  )
  return kind
}

/** Kinds that any endpoint may answer without listing them (decisions 1.1 to 1.4 and 1.14). */
export const BadRequest = problem('bad_request', 400, 'The request is invalid')
export const Unauthorized = problem('unauthorized', 401, 'Sign in, or send a valid access token or API key')
export const Forbidden = problem('forbidden', 403, 'You do not have permission to do this')
export const FeatureDisabled = problem('feature_disabled', 403, 'This feature is not licensed')
export const PluginDisabled = problem('plugin_disabled', 403, 'This plugin is disabled')
/** The session has to prove the second factor again (decision record 0041). */
export const FactorRequired = problem('factor_required', 403, 'Enter a code of your second factor')
export const NotFound = problem('not_found', 404, 'Not found')
export const MethodNotAllowed = problem('method_not_allowed', 405, 'This path does not support this method')
export const Conflict = problem('conflict', 409, 'The resource has changed: read it again and retry')
/**
 * A job holds, or is about to take, a lock that the change needs: waiting for it would exceed the time of a
 * request.
 */
export const HeldByJob = problem('conflict', 409, 'A job is working on this: wait for it, or cancel it', {
  fields: Type.Object({ job_id: Type.Integer({ description: 'The job' }) }),
})
/** A provisional change holds a lock that the change needs, until it is confirmed or undone. */
export const HeldByChange = problem('conflict', 409, 'Another change of this waits for its confirmation', {
  fields: Type.Object({ change_id: Type.Integer({ description: 'The change to confirm or cancel' }) }),
})
/** A connection that was open before a change shows nothing about those that can be opened after it. */
export const OldConnection = problem(
  'conflict',
  409,
  'Confirm the change over a connection that was opened after it: this one is closed now, try again',
)
/** Connections over loopback are admitted whatever the firewall does, and a proxy connects for its visitors. */
export const ConnectionUnproven = problem(
  'connection_unproven',
  409,
  'A connection over loopback or through a proxy does not prove that the host can still be reached: confirm over another address of the host, or with unproven=true if you have a console',
)
export const EditedByHand = problem(
  'edited_by_hand',
  409,
  'The file was edited manually after the panel wrote it',
  {
    fields: Type.Object({
      path: Type.String({ description: 'The file' }),
      diff: Type.String({ description: 'The change that the panel would make' }),
    }),
  },
)
/** The target was changed after the plan that a request names was made (decision record 0095). */
export const PlanStale = problem(
  'plan_stale',
  409,
  'The plan of this change is not the same any more: look at its plan again',
)
export const InProgress = problem('in_progress', 409, 'A request with this Idempotency-Key is still running')
export const IdempotencyConflict = problem(
  'idempotency_conflict',
  409,
  'This Idempotency-Key was used for a different request',
)
export const AlreadyDone = problem(
  'already_done',
  409,
  'A request with this Idempotency-Key was already completed; its response is no longer available',
  { fields: Type.Object({ change_id: Type.Integer({ description: 'The completed change' }) }) },
)
export const UpgradeRequired = problem(
  'upgrade_required',
  426,
  'This path accepts WebSocket connections only',
)
export const PayloadTooLarge = problem('payload_too_large', 413, 'The request body is too large')
export const RequestTimeout = problem('request_timeout', 408, 'The request body did not arrive in time')
/** The options of a failure that ends by itself: seconds until the next attempt is accepted. */
export const retryAfter = (seconds: number) => ({ headers: { 'retry-after': String(seconds) } })
export const RateLimited = problem('rate_limited', 429, 'Too many attempts: wait and try again')
export const ServerError = problem('server_error', 500, 'Something went wrong on the server')
/** A failure of the panel's own database; a bug unless an endpoint gives it a code. */
export const StoreFailed = problem('db_error', 500, 'The database of the panel failed')
export const DiskFull = problem('insufficient_storage', 507, 'The disk is full')
/** A disk is read-only or broken; what it refused may succeed once it is mended. */
export const DiskFailed = problem('unavailable', 503, 'The disk cannot be written')
export const Unavailable = problem(
  'unavailable',
  503,
  'A program or privilege that this needs is missing on the host',
)
/** The panel did not answer its own request for an agent in time. */
export const GatewayTimeout = problem('timeout', 504, 'The endpoint did not answer in time')
/** The panel cannot accept the request at the moment, but will soon. */
export const Busy = problem('unavailable', 503, 'The panel is busy: try again')

export const universalProblems: readonly ProblemKind[] = [
  BadRequest,
  Unauthorized,
  Forbidden,
  FeatureDisabled,
  PluginDisabled,
  FactorRequired,
  NotFound,
  MethodNotAllowed,
  Conflict,
  HeldByJob,
  HeldByChange,
  EditedByHand,
  PlanStale,
  InProgress,
  IdempotencyConflict,
  AlreadyDone,
  UpgradeRequired,
  PayloadTooLarge,
  RequestTimeout,
  RateLimited,
  ServerError,
  DiskFull,
  DiskFailed,
  Unavailable,
  Busy,
]

/** Returns undefined instead of throwing one of these failures. */
export async function unless<Value>(
  kinds: readonly ProblemKind[],
  pending: Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await pending
  } catch (error) {
    if (error instanceof Problem && kinds.includes(error.kind)) return undefined
    throw error
  }
}
