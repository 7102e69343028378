import type { AnswerOf, SentBody, SentParams, SentQuery } from './sent.ts'

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** A request of the panel's API, made by the client of an area: it can be looked at (`plan`) before it is sent. */
export interface Call<Answer = unknown> {
  readonly method: string
  /** Below /api. */
  readonly path: string
  readonly query?: Query
  readonly body?: unknown
  /** The revision that the caller looked at: the change is refused where it is another by now. */
  readonly ifMatch?: number
  /** A change under one key is made once, however often it is sent. */
  readonly idempotencyKey?: string
  /** How long the answer may take; a minute and a little where nothing is said. */
  readonly limitMs?: number
  /** Carries the type of what is answered; never present at run time. */
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

/** One function for each endpoint of an area, by its exported name; each makes a typed call and sends nothing. */
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

/** Makes the client of an area from its operations, each as `POST /lbproxy/backends`. */
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

/** The URL of a call, for what cannot use `fetch`. */
export function urlOf({ path, query = {} }: Call): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()
  return `/api${path}${text ? `?${text}` : ''}`
}
