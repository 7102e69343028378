import type { AnswerOf, SentBody, SentParams, SentQuery } from './sent.ts'

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/**
 * A typed request of the panel's API, made by the client of an area; its `plan` can be requested before it
 * is sent.
 */
export interface Call<Answer = unknown> {
  readonly method: string
  /** Relative to /api. */
  readonly path: string
  readonly query?: Query
  readonly body?: unknown
  /** The revision that the caller has seen: the server rejects the change if the revision has changed. */
  readonly ifMatch?: number
  /** Idempotency key: a change is made once per key, however often it is sent. */
  readonly idempotencyKey?: string
  /** Time limit of the reply; by default a little over a minute. */
  readonly limitMs?: number
  /** Carries the type of the reply; never present at run time. */
  readonly answer?: Answer
}

type Options = Pick<Call, 'ifMatch' | 'idempotencyKey' | 'limitMs'>
type Part<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : Record<never, never> extends Value
    ? { readonly [Field in Name]?: Value }
    : { readonly [Field in Name]: Value }
type Asked<E> = Options &
  Part<'params', SentParams<E>> & { readonly query?: SentQuery<E> } & Part<'body', SentBody<E>>

/**
 * One function per endpoint of an area, by its exported name; each returns a typed call and sends nothing.
 */
export type Client<Endpoints> = {
  readonly [Name in keyof Endpoints]: (
    ...asked: Record<never, never> extends Asked<Endpoints[Name]>
      ? [Asked<Endpoints[Name]>?]
      : [Asked<Endpoints[Name]>]
  ) => Call<AnswerOf<Endpoints[Name]>>
}

interface AnyAsked extends Options {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Query
  readonly body?: unknown
}

/** Makes the client of an area from its operations, such as `POST /lbproxy/backends`. */
export function client<Endpoints>(operations: Readonly<Record<keyof Endpoints, string>>): Client<Endpoints> {
  const calls = Object.entries<string>(operations).map(([name, operation]) => [
    name,
    ({ params = {}, ...asked }: AnyAsked = {}): Call => {
      const [method = '', path = ''] = operation.split(' ')
      const fill = (_: string, field: string) => encodeURIComponent(params[field] ?? '')
      return { method, path: path.replaceAll(/\{(\w+)\}/g, fill), ...asked }
    },
  ])
  return Object.fromEntries(calls)
}

/** Returns the URL of a call, for code that cannot use `fetch`. */
export function urlOf({ path, query = {} }: Call): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()
  return `/api${path}${text ? `?${text}` : ''}`
}
