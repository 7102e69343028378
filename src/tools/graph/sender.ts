import { finished } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { pause } from '../../core/poll.ts'
import { Problem } from '../../core/problem.ts'
import { Semaphore } from '../../core/semaphore.ts'
import { fetchProblems } from '../../host/fetch/index.ts'
import { jsonIn, refusalIn } from './answers.ts'
import type { GraphDoors, GraphSettings, Patience } from './parts.ts'
import { GraphRefusal, passingStatuses } from './problems.ts'
import { openToken } from './token.ts'

/** Limit of the service for one application. */
const atOnce = 4
const usualPatience: Patience = { attempts: 12, firstPauseMs: 1000, mostPauseMs: 300_000 }
/** With it, a message that is moved keeps its id. */
export const immutable = 'IdType="ImmutableId"'

/** The body of a request. */
export interface SentBody {
  readonly text: string
  readonly contentType: string
}

/** A request; with a body, it is a POST. */
export interface Sending {
  readonly url: string
  readonly maxBytes: number
  readonly signal: AbortSignal
  readonly prefer?: string | undefined
  readonly body?: SentBody
  /** True for what must not be done twice: it is repeated only where the server has not begun it. */
  readonly isOnce?: boolean
}

/** Sends a request until it is answered, and reads the answer; throws GraphRefusal. */
type Send = <Value>(sending: Sending, read: (stream: Readable) => Promise<Value>) => Promise<Value>

/** Opens the sending of requests: a few at once, and again where the server is too busy or cannot be reached. */
export function openSender(settings: GraphSettings, doors: GraphDoors): Send {
  const token = openToken(settings, doors)
  const permits = new Semaphore(atOnce)
  const { attempts, firstPauseMs, mostPauseMs } = { ...usualPatience, ...doors.patience }
  const busy = { untilMs: 0 }

  const attempt = async (sending: Sending) => {
    const release = await permits.acquire({ signal: sending.signal })
    try {
      const bearer = await token.current(sending.signal)
      const answer = await doors.fetch.stream(requestOf(sending, bearer))
      void finished(answer.stream).then(release, release)
      if (answer.status === 401) token.forget(bearer)
      return answer
    } catch (error) {
      release()
      throw error
    }
  }

  return async (sending, read) => {
    const { signal, isOnce = false } = sending
    let isSignedInAgain = false
    for (let count = 1; ; count += 1) {
      await pause(Math.max(0, busy.untilMs - performance.now()), signal)
      signal.throwIfAborted()
      const ownPauseMs = Math.min(mostPauseMs, firstPauseMs * 2 ** (count - 1))
      try {
        const { status, headers, stream } = await attempt(sending)
        if (status >= 200 && status < 300) return await read(stream)
        const refusal = refused(status, await textOf(stream))
        // a token can be withdrawn before its end: one that was fetched again is refused for a reason
        const isWithdrawn: boolean = status === 401 && !isSignedInAgain
        const most = status === brokenStatus ? Math.min(attempts, mostOfBroken) : attempts
        if (count >= most || !(isWithdrawn || isPassing(status, isOnce))) throw refusal
        isSignedInAgain ||= isWithdrawn
        if (status === brokenStatus) {
          await pause(ownPauseMs, signal)
          continue
        }
        const askedMs = pauseAsked(headers['retry-after']) ?? (isWithdrawn ? 0 : ownPauseMs)
        busy.untilMs = Math.max(busy.untilMs, performance.now() + Math.min(mostPauseMs, askedMs))
      } catch (error) {
        if (isOnce || count >= attempts || !isOutage(error)) throw error
        await pause(ownPauseMs, signal)
      }
    }
  }
}

const requestOf = ({ url, maxBytes, signal, prefer, body }: Sending, bearer: string) => ({
  method: body === undefined ? ('GET' as const) : ('POST' as const),
  url,
  asker: { isAdmin: true },
  headers: {
    authorization: `Bearer ${bearer}`,
    prefer: prefer === undefined ? immutable : `${immutable}, ${prefer}`,
  },
  ...(body && { body }),
  maxBytes,
  signal,
})

/** Reads a stream as text. */
export async function textOf(stream: Readable): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

function refused(status: number, text: string): GraphRefusal {
  const { code, message } = refusalIn(jsonIn(text))
  return new GraphRefusal(status, code, `Microsoft Graph answered ${status}: ${message}`)
}

/** Statuses of a server that has not begun what it was asked for. */
const notBegun: ReadonlySet<number> = new Set([429, 503])

const isPassing = (status: number, isOnce: boolean): boolean =>
  (isOnce ? notBegun : passingStatuses).has(status)

/** What the service answers for one thing that it cannot send, too: others do not wait for it, and it is asked less often. */
const brokenStatus = 500
const mostOfBroken = 6

const isOutage = (error: unknown): boolean =>
  error instanceof Problem && [fetchProblems.FetchFailed, fetchProblems.HostNotFound].includes(error.kind)

function pauseAsked(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return seconds < 0 ? undefined : seconds * 1000
  // a proxy may name a time
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - Date.now())
}
