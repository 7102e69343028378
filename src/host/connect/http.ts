import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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

/** A request of which the reply, and perhaps the content, is read as it arrives. */
export interface StreamRequest extends ApiRequest {
  /** Sent instead of `body`, as it is. */
  readonly content?: { readonly type: string; readonly stream: Readable }
  /** Ends the request and its reply. */
  readonly signal: AbortSignal
}

/** A connection that also opens replies without an end. */
export interface HttpConnection extends ApiConnection {
  /** Resolves with the headers of the reply, within the time limit after the content was sent; the body has no limit but its signal. */
  stream(request: StreamRequest): Promise<{ readonly status: number; readonly body: Readable }>
  /** Resolves when the program has switched the connection to a raw one (status 101). */
  upgrade(request: ApiRequest, protocol: string): Promise<Duplex>
}

/** Connects to the HTTP API of a program. Each request has a connection of its own; redirects are not followed. */
export function connectHttp(target: HttpTarget): HttpConnection {
  return {
    send: (sent) => send(target, sent),
    stream: (sent) => stream(target, sent),
    upgrade: (sent, protocol) => upgrade(target, sent, protocol),
  }
}

const placeOf = ({ at }: HttpTarget) =>
  'port' in at ? { host: '127.0.0.1', port: at.port } : { socketPath: at.socketPath }

async function stream(target: HttpTarget, { method, path, body, content, signal }: StreamRequest) {
  const { name, timeoutMs = 10_000 } = target
  const json = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const headers = {
    ...(json && { 'content-type': 'application/json', 'content-length': json.length }),
    ...(content && { 'content-type': content.type }),
    ...(await target.headers?.()),
  }
  const asked = request({ ...placeOf(target), method, path, headers, signal, agent: false })
  const answered = once(asked, 'response', { signal })
  answered.catch(() => {}) // awaited below; the content may fail first
  try {
    if (content === undefined) asked.end(json)
    else await pipeline(content.stream, asked, { signal })
    const [reply]: IncomingMessage[] = await within(timeoutMs, name, asked, answered)
    if (reply === undefined) throw new Error('no reply')
    return { status: reply.statusCode ?? 0, body: reply }
  } catch (error) {
    asked.destroy()
    if (isUnreachable(error)) throw NotAnswering(`${name} cannot be reached: ${error.message}`)
    throw error
  }
}

async function upgrade(target: HttpTarget, { method, path, body }: ApiRequest, protocol: string) {
  const { name, timeoutMs = 10_000 } = target
  const json = Buffer.from(JSON.stringify(body ?? {}))
  const headers = {
    'content-type': 'application/json',
    'content-length': json.length,
    connection: 'Upgrade',
    upgrade: protocol,
    ...(await target.headers?.()),
  }
  const asked = request({ ...placeOf(target), method, path, headers, agent: false })
  const switched = new Promise<Duplex>((resolve, reject) => {
    asked.once('upgrade', (_reply, socket: Duplex, head: Buffer) => {
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    asked.once('response', (reply: IncomingMessage) => {
      reply.resume()
      reject(NotAnswering(`${name} did not switch to ${protocol}: status ${reply.statusCode}`))
    })
    asked.once('error', (error) =>
      reject(isUnreachable(error) ? NotAnswering(`${name} cannot be reached: ${error.message}`) : error),
    )
  })
  asked.end(json)
  return within(timeoutMs, name, asked, switched)
}

/** Ends a request whose reply has not begun in time. */
async function within<Value>(
  timeoutMs: number,
  name: string,
  asked: ClientRequest,
  reply: Promise<Value>,
): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(NotAnswering(`${name} did not answer within ${timeoutMs} ms`))
    asked.destroy()
  }, timeoutMs)
  try {
    return await Promise.race([reply, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function send(target: HttpTarget, { method, path, body }: ApiRequest) {
  const { name, timeoutMs = 10_000, maxBytes = 8 * 1024 * 1024 } = target
  const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const headers = {
    accept: 'application/json',
    ...(content && { 'content-type': 'application/json', 'content-length': content.length }),
    ...(await target.headers?.()),
  }
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const asked = request({ ...placeOf(target), method, path, headers, signal, agent: false })
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
