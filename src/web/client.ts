import { auth } from '../areas/auth/web/api.ts'
import { type Call, urlOf } from './call.ts'
import { reach } from './connection.ts'
import { accessToken, end, renew } from './session.ts'
import { failureOf } from './failure-of.ts'
import { confirmFactor } from './fresh-factor.ts'
import { rememberUndo } from './undoable.ts'

const limitMs = 70_000
/** Another tab may renew the token of the session while a request is on its way. */
const mostAttempts = 3

/** Sends a call and returns `data` of the reply, or all of a flat one; renews the access token once if it has expired. */
export async function run<Answer>(call: Call<Answer>, signal?: AbortSignal): Promise<Answer> {
  const limit = AbortSignal.timeout(call.limitMs ?? limitMs)
  const answer = await request(call, signal ? AbortSignal.any([signal, limit]) : limit)
  const body: Wrapped<Answer> | Answer = await answer.json()
  return isWrapped(body) ? body.data : body
}

interface Wrapped<Answer> {
  readonly data: Answer
}

const isWrapped = <Answer>(body: Wrapped<Answer> | Answer): body is Wrapped<Answer> =>
  typeof body === 'object' && body !== null && 'data' in body

/** A failed sign-in does not mean that the session of this browser has ended. */
const { path: signInPath } = auth.signIn({ body: { email: '', password: '' } })

/** Sends a call and returns the successful response itself, for streams and files. */
export async function request(
  call: Call,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  let isConfirmed = false
  for (let attempt = 1; ; attempt++) {
    const token = await accessToken()
    const answer = await send(
      call,
      { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
      signal,
    )
    if (answer.ok) return admitted(call, answer)
    if (answer.status !== 401 || call.path === signInPath) {
      const failure = await failureOf(answer)
      isConfirmed = !isConfirmed && failure.code === 'factor_required' && (await confirmFactor())
      if (!isConfirmed) throw failure
    } else {
      if (attempt === mostAttempts) end()
      if (attempt === mostAttempts || !(await renew(token))) throw await failureOf(answer)
    }
  }
}

/** Orders work that is shown as an event stream; returns the job that carries it out, and leaves the stream. */
export async function orderJob(call: Call): Promise<number> {
  const answer = await request(call, AbortSignal.timeout(limitMs), { accept: 'text/event-stream' })
  await answer.body?.cancel()
  return Number(answer.headers.get('x-job-id'))
}

function send(
  call: Call,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { method, body, ifMatch, idempotencyKey } = call
  return reach(urlOf(call), {
    method,
    headers: {
      ...headers,
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
}

function admitted(call: Call, answer: Response): Response {
  rememberUndo(call, answer)
  return answer
}
