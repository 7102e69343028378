import type { Readable } from 'node:stream'
import { jsonIn, parseBatch } from './answers.ts'
import type { GraphDoors, GraphSettings } from './parts.ts'
import { foreignLink, GraphFailed } from './problems.ts'
import { immutable, openSender, type Sending, type SentBody, textOf } from './sender.ts'

/** Requests of an application to Microsoft Graph, four at once; those that it is too busy for are repeated. */
export interface Graph {
  /** Reads JSON from a path below /v1.0 or from a link of an earlier answer; throws GraphRefusal, GraphFailed. */
  json(target: string, signal: AbortSignal, prefer?: string): Promise<unknown>
  /** Reads bytes, which must be read to their end or destroyed. */
  bytes(path: string, signal: AbortSignal): Promise<Readable>
  /** Reads up to 20 paths at once, in their order; undefined for one that is gone. */
  batch(paths: readonly string[], signal: AbortSignal): Promise<readonly (object | undefined)[]>
  /**
   * Sends a POST that makes something, and reads the JSON of the answer. Where nobody knows whether it was done, it is
   * not repeated.
   */
  create(path: string, body: SentBody, signal: AbortSignal, version?: 'v1.0' | 'beta'): Promise<unknown>
  /** True for a link that leads to where the answers come from: the token is sent with it. */
  owns(link: string): boolean
}

/** A refusal of one request of a batch is told with the others. */
const gone = 404
const mostBytes = 64 * 1024 * 1024
/** The largest message of the service has 150 MB, before it is encoded. */
const mostMimeBytes = 256 * 1024 * 1024

/** Opens Microsoft Graph for an application. Nothing is sent before one of its methods is called. */
export function openGraph(settings: GraphSettings, doors: GraphDoors): Graph {
  const base = doors.graphUrl.replace(/\/+$/, '')
  const root = `${base}/v1.0`
  const send = openSender(settings, doors)
  const json = async (sending: Omit<Sending, 'maxBytes'>) => {
    const answer = jsonIn(await send({ ...sending, maxBytes: mostBytes }, textOf))
    if (answer === undefined) throw GraphFailed('Microsoft Graph sent an answer that is not JSON')
    return answer
  }
  const batch = async (paths: readonly string[], signal: AbortSignal) => {
    const requests = paths.map((url, index) => ({
      ...{ id: String(index), method: 'GET', url },
      headers: { Prefer: immutable },
    }))
    const body = { text: JSON.stringify({ requests }), contentType: 'application/json' }
    const { responses } = parseBatch(await json({ url: `${root}/$batch`, signal, body }))
    const found = new Map(responses.map((each) => [each.id, each]))
    const answers: (object | undefined)[] = []
    for (const [index, path] of paths.entries()) {
      const { status = 503, body } = found.get(String(index)) ?? {}
      if (status === gone) answers.push(undefined)
      else if (status === 200 && isObject(body)) answers.push(body)
      // the one that was refused is asked for alone, which repeats it or tells the reason
      else answers.push(objectIn(await json({ url: urlOf(root, path), signal })))
    }
    return answers
  }
  return {
    json: (target, signal, prefer) => json({ url: urlOf(root, target), signal, prefer }),
    bytes: (path, signal) =>
      send({ url: urlOf(root, path), maxBytes: mostMimeBytes, signal }, async (stream) => stream),
    batch,
    create: (path, body, signal, version = 'v1.0') =>
      json({ url: `${base}/${version}${path}`, signal, body, isOnce: true }),
    owns: (link) => isBelow(root, link),
  }
}

const isObject = (answer: unknown): answer is object => typeof answer === 'object' && answer !== null

function objectIn(answer: unknown): object {
  if (isObject(answer)) return answer
  throw GraphFailed('Microsoft Graph sent an answer that is not understood')
}

function urlOf(root: string, target: string): string {
  if (target.startsWith('/')) return `${root}${target}`
  if (!isBelow(root, target)) throw foreignLink(target)
  return target
}

function isBelow(root: string, link: string): boolean {
  const [url, own] = [URL.parse(link), URL.parse(root)]
  return (
    url !== null && own !== null && url.origin === own.origin && url.pathname.startsWith(`${own.pathname}/`)
  )
}
