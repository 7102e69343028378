import { Value } from 'typebox/value'
import type { Log } from '../../core/endpoint.ts'
import { KeyedMutex } from '../../core/keyed-mutex.ts'
import { repeat } from '../../core/repeat.ts'
import type { Fetch } from '../../host/fetch/index.ts'
import type { Store } from '../../store/store.ts'
import { learnKey } from './learn-key.ts'
import { Sealed } from './outbox.ts'
import { type Sent, sendRequest } from './send.ts'
import type { ActionRow, ReplicationQueries, ServerRow } from './store.ts'

const everyMs = 1000
const firstWaitMs = 2000
const longestWaitMs = 300_000
/** A server that answers, but cannot: then the next request has its turn. */
const mostTriesThere = 8
const mostRetries = 3

interface Parts {
  readonly store: Store
  readonly queries: ReplicationQueries
  readonly fetch: Fetch
  readonly log: Log
}

/** Sends requests to the other servers: to each one after the other, in the order of their changes. */
export interface Courier {
  /** Sends one request at once, and records how it went as a retry. */
  retry(action: ActionRow, server: ServerRow, token: string, signal: AbortSignal): Promise<Sent>
  /** Sends what waits until it is stopped. */
  start(): { stop(): Promise<void> }
}

/** Opens the courier; nothing is sent before it is started. */
export function openCourier(parts: Parts): Courier {
  const { queries, log } = parts
  const { sendNext, retry } = openSender(parts)
  const busy = new Map<number, Promise<void>>()
  const sendAll = async (serverId: number, signal: AbortSignal) => {
    while (!signal.aborted && (await sendNext(serverId, signal)));
  }
  const begin = (serverId: number, signal: AbortSignal) => {
    if (busy.has(serverId)) return
    const sending = sendAll(serverId, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error, server: serverId }, 'a request could not be sent on')
      })
      .finally(() => busy.delete(serverId))
    busy.set(serverId, sending)
  }
  const beginAll = async (signal: AbortSignal) => {
    for (const { id, is_enabled } of await queries.all()) if (is_enabled === 1) begin(id, signal)
  }
  return {
    retry,
    start: () => {
      const halt = new AbortController()
      const failed = (error: unknown) => log.error({ err: error }, 'other servers could not be read')
      const rounds = repeat({ everyMs, work: () => beginAll(halt.signal), failed, isAtOnce: true })
      return {
        stop: async () => {
          halt.abort(new Error('the panel is stopping'))
          await rounds.stop()
          await Promise.all(busy.values())
        },
      }
    },
  }
}

/** Sends single requests, never two to one server at once. */
function openSender({ store, queries, fetch }: Parts) {
  const servers = new KeyedMutex<number>()
  const send = (action: ActionRow, server: ServerRow, signal: AbortSignal) => {
    const request = requestOf(store, action)
    return sendRequest(fetch, {
      server,
      apiKey: store.unseal(server.sealed_key),
      action,
      request,
      signal,
      keepIds: (ids) => {
        const sealed = JSON.stringify({ ...request, ids: [...ids] } satisfies Sealed)
        return queries.recordAction(action.id, { sealed_request: store.seal(sealed) })
      },
      learnKey: (known) =>
        learnKey({ queries, fetch }, known, { isAdmin: known.may_be_internal === 1 }, signal),
    })
  }
  /** A request that must not be sent says nothing about the server. */
  const note = async (serverId: number, sent: Sent) => {
    if (sent.outcome !== 'failed' || sent.code !== null) await queries.recordSent(serverId, stateAfter(sent))
  }
  const alone = <Value>(serverId: number, signal: AbortSignal, work: () => Promise<Value>) =>
    servers.run(serverId, work, { signal })
  return {
    /** Sends the next request; false if there is none to send now. */
    sendNext: (serverId: number, signal: AbortSignal): Promise<boolean> =>
      alone(serverId, signal, async () => {
        const server = await queries.find(serverId)
        const action = await queries.nextFor(serverId)
        if (server?.is_enabled !== 1 || action === undefined) return false
        if (action.next_try > new Date().toISOString()) return false
        const sent = await send(action, server, signal)
        await queries.recordAction(action.id, afterTry(action, sent, new Date()))
        await note(serverId, sent)
        return sent.outcome !== 'later'
      }),
    retry: (chosen: ActionRow, known: ServerRow, token: string, signal: AbortSignal): Promise<Sent> =>
      alone(known.id, signal, async () => {
        // as they are after the wait for what is being sent
        const server = (await queries.find(known.id)) ?? known
        const action = (await queries.action(chosen.id)) ?? chosen
        const sent = await send(action, server, signal)
        await queries.recordAction(action.id, { ...afterRetry(action, sent, new Date()), retry_token: token })
        await note(server.id, sent)
        return sent
      }),
  }
}

function requestOf(store: Store, { sealed_request }: ActionRow): Sealed {
  return Value.Parse(Sealed, JSON.parse(store.unseal(sealed_request)))
}

type Found = Partial<Omit<ActionRow, 'id'>>

/** Returns what is stored of a request that was sent in its turn. */
export function afterTry(
  { tries }: Pick<ActionRow, 'tries'>,
  { outcome, code, message }: Sent,
  now: Date,
): Found {
  const said = { tries: tries + 1, response_code: code, error_message: message }
  if (outcome === 'later' && !(code !== null && code >= 500 && tries + 1 >= mostTriesThere)) {
    const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(tries, 20))
    return { ...said, next_try: new Date(now.getTime() + waitMs).toISOString() }
  }
  const isOver = outcome === 'success'
  return {
    ...said,
    status: isOver ? 'success' : 'failed',
    is_over: Number(isOver),
    completed_at: now.toISOString(),
  }
}

/** Returns what is stored of a request that somebody had sent again. */
export function afterRetry(
  { retry_count }: Pick<ActionRow, 'retry_count'>,
  { outcome, code, message }: Sent,
  now: Date,
): Found {
  const isDone = outcome === 'success'
  return {
    status: isDone ? 'success' : 'failed',
    response_code: code,
    error_message: message,
    retry_count: retry_count + 1,
    is_over: Number(isDone || retry_count + 1 >= mostRetries),
    completed_at: now.toISOString(),
  }
}

/** A server that was reached is active. */
function stateAfter({ outcome, message }: Sent): Pick<ServerRow, 'status' | 'message'> {
  return outcome === 'later' ? { status: 'error', message } : { status: 'active', message: '' }
}
