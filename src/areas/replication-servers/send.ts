import { setTimeout } from 'node:timers/promises'
import Type from 'typebox'
import { Value } from 'typebox/value'
import { AlreadyDone, HeldByChange, HeldByJob, InProgress, type ProblemKind } from '../../core/problem.ts'
import type { Fetch } from '../../host/fetch/index.ts'
import { peerAt } from '../peer.ts'
import type { Reference } from './natural-keys.ts'
import type { Sealed } from './outbox.ts'
import type { ActionRow, ServerRow } from './store.ts'

/** How a request for another server went; `later` where it is to be tried again, as the server was not reached. */
export interface Sent {
  readonly outcome: 'success' | 'failed' | 'later'
  readonly code: number | null
  readonly message: string
}

interface Sending {
  readonly server: ServerRow
  readonly apiKey: string
  readonly action: Pick<ActionRow, 'method' | 'idempotency_key'>
  readonly request: Sealed
  readonly signal: AbortSignal
  /** Keeps the public key that the server shows at the first contact. */
  readonly learnKey: (server: ServerRow) => Promise<ServerRow>
  /** Keeps the ids that the server has for the references, before the request is sent. */
  readonly keepIds: (ids: readonly number[]) => Promise<unknown>
}

type Method = ActionRow['method']

interface Asking {
  readonly method: Method
  readonly path: string
  readonly body?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

const answerMs = 75_000
const mostAnswerBytes = 16 * 1024 * 1024
const jobFirstMs = 50
const jobEveryMs = 1000
const Failure = Type.Object({
  error: Type.Object({
    message: Type.String(),
    code: Type.Optional(Type.String()),
  }),
})
const FlatFailure = Type.Object({ error: Type.String() })
const Found = Type.Object({ data: Type.Object({ id: Type.Integer({ minimum: 1 }) }) })
const Accepted = Type.Object({ data: Type.Object({ job_id: Type.Integer() }) })
const JobState = Type.Object({
  data: Type.Object({
    state: Type.String(),
    message: Type.String(),
    error: Type.Union([Type.String(), Type.Null()]),
  }),
})

/** Has another server repeat a request; each is carried out there once, however often it is sent. */
export async function sendRequest(fetch: Fetch, sending: Sending): Promise<Sent> {
  const { server, signal, learnKey } = sending
  const { unsendable } = sending.request
  if (unsendable !== undefined) return { outcome: 'failed', code: null, message: unsendable }
  try {
    const known = server.public_key === '' ? await learnKey(server) : server
    return await repeatThere(fetch, { ...sending, server: known })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Gone) return { outcome: 'failed', code: error.code, message: error.message }
    if (error instanceof NotYet) return later(error.message, error.code)
    return later(error instanceof Error ? error.message.replace(/^url: /, '') : String(error))
  }
}

/** It will not succeed. */
class Gone extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message.slice(0, 2000))
    this.code = code
  }
}
/** It was not carried out, or that is not known yet. */
class NotYet extends Error {
  /** Null where it was no panel that answered, but what stands before it. */
  readonly code: number | null
  constructor(status: number, message: string, isPanel = true) {
    super(`it answered ${status}: ${message}`)
    this.code = isPanel ? status : null
  }
}

const later = (message: string, code: number | null = null): Sent => ({
  outcome: 'later',
  code,
  message: message.slice(0, 2000),
})

async function repeatThere(fetch: Fetch, sending: Sending): Promise<Sent> {
  const { action, request, server } = sending
  const { path, body } = await withIdsOfThere(fetch, sending)
  const answer = await ask(fetch, sending, {
    method: action.method,
    path,
    body,
    headers: {
      'idempotency-key': action.idempotency_key,
      'x-replication-source': `peer:${server.id}`,
      prefer: 'respond-async',
      ...(request.as !== undefined && { 'x-replication-user': request.as }),
    },
  })
  const { status, value } = answer
  if (Value.Check(Accepted, value) && status === 202) await jobEnded(fetch, sending, value.data.job_id)
  // it was done before, and its answer contained a secret
  const isDone = status < 300 || (status === 409 && isOf(value, AlreadyDone))
  if (!isDone) throw new Gone(status, messageIn(value))
  return { outcome: 'success', code: status, message: '' }
}

/** Fills in the ids that the other server has for the rows that the request names. */
async function withIdsOfThere(fetch: Fetch, sending: Sending) {
  const { url, body, references } = sending.request
  const [path = '', query] = url.split('?')
  const segments = path.split('/')
  const fields: Record<string, number> = {}
  const ids = await idsOfThere(fetch, sending)
  for (const [index, id] of ids.entries()) {
    const at = references[index]?.at
    if (typeof at === 'number') segments[at] = String(id)
    else if (at !== undefined) fields[at] = id
  }
  const given =
    body === undefined || Object.keys(fields).length === 0
      ? body
      : JSON.stringify({ ...JSON.parse(body), ...fields })
  return { path: `${segments.join('/')}${query === undefined ? '' : `?${query}`}`, body: given }
}

/** A request whose answer was lost is sent with the same ids, though it may have renamed or deleted what they name. */
async function idsOfThere(fetch: Fetch, sending: Sending): Promise<readonly number[]> {
  const { references, ids: known } = sending.request
  const ids: number[] = []
  for (const [index, reference] of references.entries())
    ids.push(await idOfThere(fetch, sending, { ...reference, known: known?.[index] }))
  if (String(ids) !== String(known ?? [])) await sending.keepIds(ids)
  return ids
}

async function idOfThere(
  fetch: Fetch,
  sending: Sending,
  { noun, name, known }: Reference & { readonly known: number | undefined },
): Promise<number> {
  const query = new URLSearchParams({ noun, name })
  const path = `/api/replication-servers/references?${query}`
  const { status, value } = await ask(fetch, sending, { method: 'GET', path })
  if (Value.Check(Found, value) && status === 200) return value.data.id
  if (status === 404 && known !== undefined) return known
  throw new Gone(status, status === 404 ? `there is no ${noun} ${name} there` : messageIn(value))
}

/** Waits for the end of the work that a request began; a failure is that of the request. */
async function jobEnded(fetch: Fetch, sending: Sending, jobId: number): Promise<void> {
  for (let waitMs = jobFirstMs; ; waitMs = Math.min(waitMs * 2, jobEveryMs)) {
    const { status, value } = await ask(fetch, sending, { method: 'GET', path: `/api/jobs/${jobId}` })
    if (status !== 200 || !Value.Check(JobState, value))
      throw new Gone(status, `its job ${jobId} cannot be read: ${messageIn(value)}`)
    const { state, message, error } = value.data
    if (state === 'succeeded') return
    if (state !== 'queued' && state !== 'running') throw new Gone(202, error ?? message)
    await setTimeout(waitMs, undefined, { signal: sending.signal })
  }
}

async function ask(fetch: Fetch, { server, apiKey, signal }: Sending, asking: Asking) {
  const { method, path, body, headers } = asking
  const peer = peerAt(server, apiKey, { isAdmin: server.may_be_internal === 1 })
  const { status, text } = await fetch.peer({
    url: `${peer.url}${path}`,
    headers: { ...peer.headers, ...headers },
    publicKey: peer.publicKey,
    orTrusted: true,
    asker: peer.asker,
    method,
    ...(body !== undefined && { text: body }),
    maxBytes: mostAnswerBytes,
    answerMs,
    signal,
  })
  const value = jsonIn(text)
  if (value === undefined && status !== 204)
    throw new NotYet(status, 'that is no answer of a panel: check host and port', false)
  if (isPassing(status, value)) throw new NotYet(status, messageIn(value))
  return { status, value }
}

const passing = new Set([401, 408, 425, 429, 500, 502, 503, 504, 507])

/** True if the same request may succeed later: the server is busy or broken, or does not accept the key. */
const isPassing = (status: number, value: unknown): boolean =>
  passing.has(status) ||
  (status === 409 && [InProgress, HeldByJob, HeldByChange].some((kind) => isOf(value, kind)))

/** True for a failure of a kind; some endpoints tell the message alone. */
function isOf(value: unknown, { code, text }: ProblemKind): boolean {
  if (messageIn(value) === text) return true
  if (!Value.Check(Failure, value) || code === 'conflict') return false
  return value.error.code === code
}

function messageIn(value: unknown): string {
  if (Value.Check(Failure, value)) return value.error.message
  return Value.Check(FlatFailure, value) ? value.error : 'no reason was given'
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
