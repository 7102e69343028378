import { finished } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { pause } from '../../core/poll.ts'
import { Problem } from '../../core/problem.ts'
import { Semaphore } from '../../core/semaphore.ts'
import { fetchProblems } from '../../host/fetch/index.ts'
import { jsonIn, parseBatch, refusalIn } from './answers.ts'
import type { GraphDoors, GraphSettings } from './parts.ts'
import { GraphFailed, GraphRefusal } from './problems.ts'
import { openToken } from './token.ts'

/** Requests of an application to Microsoft Graph, four at once; those that it is too busy for are repeated. */
export interface Graph {
  /** Reads JSON from a path below /v1.0 or from a link of an earlier answer; throws GraphRefusal, GraphFailed. */
  json(target: string, signal: AbortSignal, prefer?: string): Promise<unknown>
  /** Reads bytes, which must be read to their end or destroyed. */
  bytes(path: string, signal: AbortSignal): Promise<Readable>
  /** Reads up to 20 paths at once, in their order; undefined for one that is refused. */
  batch(paths: readonly string[], signal: AbortSignal): Promise<readonly (object | undefined)[]>
}

/** Limit of the service for one application. */
const atOnce = 4
const attempts = 12
const mostPauseMs = 300_000
const mostBytes = 64 * 1024 * 1024
/** The largest message of the service has 150 MB, before it is encoded. */
const mostMimeBytes = 256 * 1024 * 1024
const passing = new Set([408, 429, 500, 502, 503, 504])
const immutable = 'IdType="ImmutableId"'

interface Sending {
  readonly url: string
  readonly maxBytes: number
  readonly signal: AbortSignal
  readonly prefer?: string | undefined
  readonly body?: object
}

/** Opens Microsoft Graph for an application. Nothing is sent before one of its methods is called. */
export function openGraph(settings: GraphSettings, doors: GraphDoors): Graph {
  const root = `${doors.graphUrl.replace(/\/+$/, '')}/v1.0`
  const token = openToken(settings, doors)
  const permits = new Semaphore(atOnce)
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

  const send = async (sending: Sending): Promise<Readable> => {
    const { signal } = sending
    for (let count = 1; ; count += 1) {
      await pause(Math.max(0, busy.untilMs - performance.now()), signal)
      signal.throwIfAborted()
      const ownPauseMs = Math.min(mostPauseMs, (doors.pauseMs ?? 1000) * 2 ** (count - 1))
      try {
        const { status, headers, stream } = await attempt(sending)
        if (status >= 200 && status < 300) return stream
        const refusal = refused(status, await textOf(stream))
        if (count >= attempts || !isRepeated(status, count)) throw refusal
        const pauseMs = pauseAsked(headers['retry-after']) ?? (status === 401 ? 0 : ownPauseMs)
        busy.untilMs = Math.max(busy.untilMs, performance.now() + pauseMs)
      } catch (error) {
        if (count >= attempts || !isOutage(error)) throw error
        await pause(ownPauseMs, signal)
      }
    }
  }

  const json = async (sending: Sending) => {
    const answer = jsonIn(await textOf(await send(sending)))
    if (answer === undefined) throw GraphFailed('Microsoft Graph sent an answer that is not JSON')
    return answer
  }

  return {
    json: (target, signal, prefer) => json({ url: urlOf(root, target), maxBytes: mostBytes, signal, prefer }),
    bytes: (path, signal) => send({ url: urlOf(root, path), maxBytes: mostMimeBytes, signal }),
    batch: async (paths, signal) => {
      const requests = paths.map((url, index) => ({
        ...{ id: String(index), method: 'GET', url },
        headers: { Prefer: immutable },
      }))
      const sending = { url: `${root}/$batch`, maxBytes: mostBytes, signal, body: { requests } }
      const { responses } = parseBatch(await json(sending))
      const found = new Map(responses.map((each) => [each.id, each]))
      const answers: (object | undefined)[] = []
      for (const [index, path] of paths.entries()) {
        const { status = 503, body } = found.get(String(index)) ?? {}
        if (status === 200 && typeof body === 'object' && body !== null) answers.push(body)
        else if (!passing.has(status)) answers.push(undefined)
        else answers.push(object(await json({ url: urlOf(root, path), maxBytes: mostBytes, signal })))
      }
      return answers
    },
  }
}

const object = (answer: unknown): object | undefined =>
  typeof answer === 'object' && answer !== null ? answer : undefined

const requestOf = ({ url, maxBytes, signal, prefer, body }: Sending, bearer: string) => ({
  method: body === undefined ? ('GET' as const) : ('POST' as const),
  url,
  asker: { isAdmin: true },
  headers: {
    authorization: `Bearer ${bearer}`,
    prefer: prefer === undefined ? immutable : `${immutable}, ${prefer}`,
  },
  ...(body && { body: { text: JSON.stringify(body), contentType: 'application/json' } }),
  maxBytes,
  signal,
})

/** A link in an answer must lead to where the answer came from: the token is sent with it. */
function urlOf(root: string, target: string): string {
  if (target.startsWith('/')) return `${root}${target}`
  const [url, own] = [URL.parse(target), new URL(root)]
  if (url?.origin !== own.origin || !url.pathname.startsWith(`${own.pathname}/`))
    throw GraphFailed(
      `Microsoft Graph sent a link to another server: ${url?.origin.slice(0, 300) ?? 'no address'}`,
    )
  return url.href
}

async function textOf(stream: Readable): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

function refused(status: number, text: string): GraphRefusal {
  const { code, message } = refusalIn(jsonIn(text))
  return new GraphRefusal(status, code, `Microsoft Graph answered ${status}: ${message}`)
}

/** A token can be withdrawn before its end: one that was fetched again is refused for a reason. */
const isRepeated = (status: number, count: number): boolean =>
  passing.has(status) || (status === 401 && count === 1)

const isOutage = (error: unknown): boolean =>
  error instanceof Problem && [fetchProblems.FetchFailed, fetchProblems.HostNotFound].includes(error.kind)

function pauseAsked(header: string | undefined): number | undefined {
  const seconds = Number(header)
  if (header === undefined || !Number.isFinite(seconds) || seconds < 0) return undefined
  return Math.min(mostPauseMs, seconds * 1000)
}
