import type { Static, TObject, TOptional, TProperties, TSchema } from 'typebox'
import type { Readable } from 'node:stream'
import type { Caller, Visitor } from './caller.ts'
import type { Change } from './change.ts'
import type { Guard } from './guard.ts'
import type { ProblemKind } from './problem.ts'
import type { Log } from './log.ts'
import type { ListQuery, Reply, WorkReply } from './reply.ts'

export type { Log } from './log.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * reads: changes nothing. probes: runs something (a ping, a connection test), changes nothing on the host and
 * is recorded. changes: can be undone or repeated. destroys: something is deleted.
 */
export type Effect = 'reads' | 'probes' | 'changes' | 'destroys'

/** True if an endpoint of this effect decides on a change, which has a plan. */
export const decidesChange = (effect: Effect): boolean => effect === 'changes' || effect === 'destroys'

/** The shape of an area's errors: with a code, with the message alone, or flat. */
export type ErrorStyle = 'coded' | 'message-only' | 'flat'

/**
 * A kind of failure, or several, under the code that the contract gives them; `at` names another status than
 * the kind's own.
 */
export type Failures =
  | ProblemKind
  | readonly ProblemKind[]
  | { readonly status?: number; readonly style?: ErrorStyle; readonly kinds: readonly ProblemKind[] }

/** Answers these kinds with another status than their own; 200 is an error envelope of a successful call. */
export const at = (status: number, ...kinds: readonly ProblemKind[]): Failures => ({ status, kinds })

/** Answers these kinds in another style than the endpoint's. */
export const styled = (style: ErrorStyle, ...kinds: readonly ProblemKind[]): Failures => ({ style, kinds })

/** Returns the kinds under one declared code, and the status and style if the declaration overrides them. */
export function kindsOf(failure: Failures): {
  readonly kinds: readonly ProblemKind[]
  readonly status?: number
  readonly style?: ErrorStyle
} {
  if (typeof failure === 'function') return { kinds: [failure] }
  return 'kinds' in failure ? failure : { kinds: failure }
}

/**
 * Joins records of failures: a code that several of them contain gets the kinds of all. Spreading them would
 * let the last replace the others. Throws if a code has two statuses or styles.
 */
export function failures(
  ...records: readonly Readonly<Record<string, Failures>>[]
): Readonly<Record<string, Failures>> {
  const joined: Record<string, ReturnType<typeof kindsOf>> = {}
  for (const [code, failure] of records.flatMap((record) => Object.entries(record))) {
    const next = kindsOf(failure)
    const known = joined[code]
    if (known && (known.status !== next.status || known.style !== next.style))
      throw new Error(`the failure ${code} is declared twice, with different statuses or styles`)
    joined[code] = { ...next, kinds: [...new Set([...(known?.kinds ?? []), ...next.kinds])] }
  }
  return joined
}

/** The categories for which replication to other hosts can be enabled. */
export const categories = [
  'websites',
  'dns',
  'ssl',
  'aliases',
  'databases',
  'firewall',
  'users',
  'ssh_keys',
  'crontab',
  'php',
  'settings',
  'services',
  'ftp',
  'waf',
  'varnish',
  'rate_limit',
  'plugins',
  'limits',
  'nginx_acl',
  'performance',
  'webapp_backups',
] as const
export type Category = (typeof categories)[number]

/** The reason why a change is never forwarded to other hosts. */
export interface Local {
  readonly reason: string
}

/** A change that concerns this host alone. */
export const local = (reason: string): Local => ({ reason })

/**
 * The input of a run besides its area. It contains everything that a decision depends on, so that it can be
 * repeated and tested.
 */
export interface Request<Params, Query, Body, Target, R = undefined> {
  // the schemas become types here, and not in the declaration: members of an interface are resolved when they are read, which
  // spares the type check two thirds of its work
  readonly params: StaticOf<Params>
  readonly query: QueryOf<R, StaticOf<Query>>
  readonly body: BodyOf<Body>
  readonly target: Target
  /** The signed-in user; reading it throws if the guard is open and nobody is signed in. */
  readonly caller: Caller
  readonly callerIfAny: Caller | undefined
  /** The caller, also if nobody is signed in. */
  readonly visitor: Visitor
  readonly now: Date
  /** A fresh identifier for a row of this table. */
  readonly id: (table: string) => number
  /** Ends when the caller disconnects, the time limit is reached, or the panel stops. */
  readonly signal: AbortSignal
  readonly log: Log
  /** The user that a socket token was issued for, such as the one whose terminal is opened. */
  readonly tokenUserId: number | undefined
  /** Value of `Range`, of `If-Range`, of `Last-Event-ID`, if sent. */
  readonly range: string | undefined
  readonly ifRange: string | undefined
  readonly lastEventId: number | undefined
  /** When the caller's connection was opened, in milliseconds of `performance.now()`; null if that is unknown. */
  readonly connectedAt: number | null
  /** True for a connection from another host, without a proxy in between. */
  readonly isDirect: () => boolean
  readonly rpcHeaders: () => RpcHeaders
}

/** What the headers of an MCP request say of its body: `MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name`. */
export interface RpcHeaders {
  readonly version?: string | undefined
  readonly method?: string | undefined
  readonly name?: string | undefined
}

/** The parts of a request that a decision may read besides its input; it may be made again. */
export interface Deciding {
  readonly caller: Caller
  readonly now: Date
  /** A fresh identifier for a row of this table. */
  readonly id: (table: string) => number
  readonly signal: AbortSignal
}

/** A body that is a file: multipart/form-data, or the bytes alone with the fields in the query. */
export interface UploadBody<Fields extends TObject = TObject> {
  readonly kind: 'upload'
  readonly fields: Fields
  readonly maxBytes: number
}

/** A file on its way in. The stream is read by the step that stores it. */
export interface Upload<Fields> {
  readonly fields: Fields
  readonly fileName: string | undefined
  readonly stream: Readable
}

export const upload = <Fields extends TObject>(
  fields: Fields,
  limits: { readonly maxBytes: number },
): UploadBody<Fields> => ({
  kind: 'upload',
  fields,
  maxBytes: limits.maxBytes,
})

type BodyOf<Body> =
  Body extends UploadBody<infer Form>
    ? Upload<StaticOf<Form>>
    : Body extends TSchema
      ? StaticOf<Body>
      : undefined
export type ValueOf<R> = R extends Reply<infer _Kind, infer Value> ? Value : never
type QueryOf<R, Query> = R extends Reply<'list', unknown> ? Query & ListQuery : Query
type Awaitable<Value> = Value | Promise<Value>
type Answer<E extends Effect, R> = E extends 'reads' | 'probes'
  ? Awaitable<ValueOf<R>>
  : R extends WorkReply<infer _Kind, infer _Value, infer Input>
    ? Awaitable<Frozen<Input>>
    : Awaitable<Change<ValueOf<R>>>
/** An immutable value: the input of long work is stored as it is. */
type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
    : Value
export type StaticOf<Schema> = Schema extends TObject<infer Fields> ? FieldsOf<Fields> : Record<never, never>
/**
 * The `Static` type of an object as mapped types: these are resolved when a field is read, which halves the
 * time of the type check.
 */
type FieldsOf<Fields extends TProperties> = {
  [Name in keyof Fields as Fields[Name] extends TOptional<TSchema> ? never : Name]: Static<Fields[Name]>
} & {
  [Name in keyof Fields as Fields[Name] extends TOptional<TSchema> ? Name : never]?: Static<Fields[Name]>
}

/**
 * Loads the object that the path or body names, in the caller's scope: an object of another tenant is not
 * found.
 */
export type Target<Context, Params, Query, Body, Value> = (
  request: TargetRequest<Context, Params, Query, Body>,
) => Awaitable<Value>

/** The request as a target receives it: without a target. */
export type TargetRequest<Context, Params, Query, Body> = Omit<
  Request<Params, Query, Body, undefined>,
  'target'
> &
  Context

/**
 * The declaration of one endpoint: everything that HTTP, OpenAPI, MCP, the client and the activity log need
 * to know.
 */
export interface EndpointDraft<Context, E extends Effect, R extends Reply, P, Q, B, T> {
  readonly method: Method
  /** Below the area's base; parameters as `{id}`. */
  readonly path: string
  /** Another base of the area, one of its `bases`. */
  readonly base?: string
  readonly summary: string
  readonly description?: string
  readonly effect: E
  /** Overrides the area's guard. */
  readonly guard?: Guard
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly reply: R
  readonly target?: Target<Context, P, Q, B, T>
  /**
   * It changes who gets in or what they may do: a credential, a session, a right, or what tells of them. It is refused to
   * limited keys, and asks for a fresh second factor (decision record 0059).
   */
  readonly changesAccess?: true
  readonly throws?: Readonly<Record<string, Failures>>
  /**
   * The action of the activity entry if the contract names it; otherwise it is derived from the endpoint's
   * name.
   */
  readonly action?: string
  /** Overrides the area's style of errors. */
  readonly errors?: ErrorStyle
  /** The reply to a body that does not bind; default 400 `bad_request`. */
  readonly invalid?: { readonly code: string; readonly status: number }
  /** The replication category of a change, or the reason why it is never forwarded. */
  readonly category?: Category | Local
  /**
   * After this the run's signal ends and the caller is answered. Default 60 s; streams and files have none.
   */
  readonly timeoutMs?: number
  /** Default 1 MiB; at most 16 KiB if the guard is open. */
  readonly bodyBytes?: number
  /** A body that cannot be read, or does not bind, counts as empty (notifications and others, decision 1.4). */
  readonly isLenient?: boolean
  /** Requests per minute for each of the keys; more are answered with 429. */
  readonly rateLimit?: {
    readonly perMinute: number
    readonly keys: (request: { readonly visitor: Visitor; readonly body: any }) => readonly string[]
  }
  /** Rejected requests are recorded in the activity log too, as for sign-in. */
  readonly recordsRefusals?: boolean
  /** Sets or clears the cookie that only the browser's sign-in uses. */
  readonly refreshCookie?: (
    value: any,
  ) => { readonly token: string; readonly expiresAt: Date } | 'clear' | undefined
  readonly run: (request: Request<P, Q, B, T, R> & Context) => Answer<E, R>
}

/** An endpoint as the surfaces see it. */
export interface Endpoint<Context = any> extends Omit<
  EndpointDraft<Context, Effect, Reply, TSchema, TSchema, TSchema | UploadBody, unknown>,
  'target' | 'run'
> {
  readonly target?: (request: any) => unknown
  readonly run: (request: any) => unknown
}

/** The schemas of a declaration, from which a client derives its types. */
export interface Declared<R, P, Q, B> {
  readonly reply: R
  readonly params?: P
  readonly query?: Q
  readonly body?: B
}
