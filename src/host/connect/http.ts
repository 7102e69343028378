import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { ApiConnection, ApiRequest } from '../apply/steps.ts'
import { NotAnswering, ReplyTooLarge } from './problems.ts'

/** A program of this host with an HTTP API. */
export interface HttpTarget {
  /** The name for people, in failures. */
  readonly name: string
  /** Its Unix socket, or its port on loopback. */
  readonly at: { readonly socketPath: string } | { readonly port: number }
  /** Headers of each request, among them secrets: read when they are needed, and never logged. */
  readonly headers?: () => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>
  /** Of a request with its reply. Default 10 s. */
  readonly timeoutMs?: number
  /** Of a reply. Default 8 MiB. */
  readonly maxBytes?: number
}

/** Connects to the HTTP API of a program. Each request has a connection of its own; redirects are not followed. */
export function connectHttp(target: HttpTarget): ApiConnection {
  return { send: (sent) => send(target, sent) }
}

async function send(target: HttpTarget, { method, path, body }: ApiRequest) {
  const { name, at, timeoutMs = 10_000, maxBytes = 8 * 1024 * 1024 } = target
  const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const headers = {
    accept: 'application/json',
    ...(content && { 'content-type': 'application/json', 'content-length': content.length }),
    ...(await target.headers?.()),
  }
  const place = 'port' in at ? { host: '127.0.0.1', port: at.port } : { socketPath: at.socketPath }
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const asked = request({ ...place, method, path, headers, signal, agent: false })
    asked.end(content)
    const [reply]: IncomingMessage[] = await once(asked, 'response', { signal })
    if (reply === undefined) throw new Error('no reply')
    return { status: reply.statusCode ?? 0, body: bodyOf(reply, await readAll(reply, maxBytes, name)) }
  } catch (error) {
    if (signal.aborted) throw NotAnswering(`${name} did not answer within ${timeoutMs} ms`)
    if (isUnreachable(error)) throw NotAnswering(`${name} cannot be reached: ${error.message}`)
    throw error
  }
}

async function readAll(reply: IncomingMessage, maxBytes: number, name: string): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of reply) {
    size += chunk.length
    if (size > maxBytes) throw ReplyTooLarge(`${name} sent more than ${maxBytes} bytes`) // leaving the loop destroys the stream
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** A body that a program labels as JSON, but that is not, is passed on as text. */
function bodyOf({ headers }: IncomingMessage, text: string): unknown {
  if (!/^application\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const unreachable = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE', 'EACCES'])

function isUnreachable(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && unreachable.has(String(error.code))
}
