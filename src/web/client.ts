import { accessToken, leave, renew } from './session.ts'
import { ApiError } from './wire.ts'

const limitMs = 70_000

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** A request of the panel's API: what it would do can be asked for before it is sent. */
export interface Call {
  readonly method: Method
  /** Below /api. */
  readonly path: string
  readonly query?: Query
  readonly body?: unknown
  /** The revision that the caller looked at: the change is refused where it is another by now. */
  readonly ifMatch?: number
  /** How long the answer may take; a minute and a little where nothing is said. */
  readonly limitMs?: number
}

/** Reads, and gives what stands in `data`. */
export function read<Value>(path: string, query?: Query, signal?: AbortSignal): Promise<Value> {
  return run<Value>({ method: 'GET', path, ...(query && { query }) }, signal)
}

/** Sends a call, and gives what stands in `data`. Renews the access token once where it has ended. */
export async function run<Value>(call: Call, signal?: AbortSignal): Promise<Value> {
  const limit = AbortSignal.timeout(call.limitMs ?? limitMs)
  const answer = await request(call, signal ? AbortSignal.any([signal, limit]) : limit)
  const body = (await answer.json()) as { data: Value }
  return body.data
}

/** Sends a call and gives the answer itself, once it is a good one; for streams and files. */
export async function request(
  call: Call,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const first = await send(call, signal, headers)
  if (first.status !== 401 || call.path === '/auth/login') return admit(first)
  if (!(await renew())) return admit(first)
  const second = await send(call, signal, headers)
  if (second.status === 401) leave()
  return admit(second)
}

/** The URL of a call, for what cannot use `fetch`. */
export function urlOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()
  return `/api${path}${text ? `?${text}` : ''}`
}

async function send(
  { method, path, query, body, ifMatch }: Call,
  signal: AbortSignal | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const token = await accessToken()
  return fetch(urlOf(path, query), {
    method,
    headers: {
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
}

async function admit(answer: Response): Promise<Response> {
  if (answer.ok) return answer
  throw await failureOf(answer)
}

async function failureOf(answer: Response): Promise<ApiError> {
  const body = (await answer.json().catch(() => ({}))) as { error?: unknown }
  const error = typeof body.error === 'string' ? { message: body.error } : body.error
  return new ApiError(answer.status, (error ?? {}) as Record<string, unknown>)
}
