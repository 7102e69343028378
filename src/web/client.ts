import { auth } from '../areas/auth/web/api.ts'
import { type Call, urlOf } from './call.ts'
import { accessToken, leave, renew } from './session.ts'
import { rememberUndo } from './undoable.ts'
import { ApiError } from './wire.ts'

const limitMs = 70_000

/** Sends a call and returns `data` of the reply; renews the access token once if it has expired. */
export async function run<Answer>(call: Call<Answer>, signal?: AbortSignal): Promise<Answer> {
  const limit = AbortSignal.timeout(call.limitMs ?? limitMs)
  const answer = await request(call, signal ? AbortSignal.any([signal, limit]) : limit)
  const body = (await answer.json()) as { data: Answer }
  return body.data
}

/** A failed sign-in does not mean that the session of this browser has ended. */
const { path: signInPath } = auth.signIn({ body: { email: '', password: '' } })

/** Sends a call and returns the successful response itself, for streams and files. */
export async function request(
  call: Call,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const first = await send(call, signal, headers)
  if (first.status !== 401 || call.path === signInPath) return admit(call, first)
  if (!(await renew())) return admit(call, first)
  const second = await send(call, signal, headers)
  if (second.status === 401) leave()
  return admit(call, second)
}

async function send(
  call: Call,
  signal: AbortSignal | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const { method, body, ifMatch, idempotencyKey } = call
  const token = await accessToken()
  return fetch(urlOf(call), {
    method,
    headers: {
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
}

async function admit(call: Call, answer: Response): Promise<Response> {
  if (answer.ok) {
    rememberUndo(call, answer)
    return answer
  }
  throw await failureOf(answer)
}

async function failureOf(answer: Response): Promise<ApiError> {
  const body = (await answer.json().catch(() => ({}))) as { error?: unknown }
  const error = typeof body.error === 'string' ? { message: body.error } : body.error
  return new ApiError(answer.status, (error ?? {}) as Record<string, unknown>)
}
