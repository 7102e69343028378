import type { FastifyReply } from 'fastify'
import type { Readable } from 'node:stream'
import type { Bytes, ListQuery, Page, Rpc, StreamEvent } from '../../core/reply.ts'
import { sendText } from './compress.ts'
import { isCurrent } from './conditions.ts'
import { streamEvents } from './events.ts'

/** Turns one endpoint's value into a response; made once for each route. */
export interface Sending {
  readonly kind: string
  readonly status: number
  readonly mask: ((value: unknown) => unknown) | undefined
  readonly heartbeatMs: number
}

const json = 'application/json; charset=utf-8'

/** Sends a value in the shape that its endpoint declares. */
export function send(
  reply: FastifyReply,
  sending: Sending,
  value: unknown,
  query: unknown,
  signal: () => AbortSignal,
): FastifyReply {
  if (sending.kind === 'bytes') return sendBytes(reply, value as Bytes, signal())
  if (sending.kind === 'events')
    return streamEvents(reply, {
      source: value as AsyncIterable<StreamEvent<unknown>>,
      mask: sending.mask,
      heartbeatMs: sending.heartbeatMs,
      signal: signal(),
    })
  if (sending.kind === 'rpc') return sendRpc(reply, sending, value)
  const shown = sending.mask ? sending.mask(value) : value
  const revision = (shown as { revision?: unknown } | null)?.revision
  if (typeof revision === 'number') void reply.header('etag', `"${revision}"`)
  void reply.code(sending.status).type(json)
  if (sending.kind === 'flat') return sendText(reply, JSON.stringify(shown))
  if (sending.kind === 'list')
    return sendText(reply, JSON.stringify({ data: pageOf(shown as Page<unknown>, query as ListQuery) }))
  return sendText(reply, JSON.stringify({ data: shown }))
}

const isAnswer = (value: unknown): value is Rpc<unknown> =>
  typeof value === 'object' && value !== null && 'message' in value

function sendRpc(reply: FastifyReply, { mask }: Sending, answer: unknown): FastifyReply {
  if (!isAnswer(answer)) return reply.code(202).send()
  const { status, message } = answer
  void reply.code(status).type(json)
  return sendText(reply, JSON.stringify(mask ? mask(message) : message))
}

function pageOf(page: Page<unknown>, { page: number, per_page }: ListQuery) {
  return { items: page.items, total: page.total, page: number, per_page }
}

/** Files are always sent as a download of an inert type: a browser never runs files of a site's owner. */
function sendBytes(reply: FastifyReply, bytes: Bytes, signal: AbortSignal): FastifyReply {
  endWith(signal, reply, bytes.stream)
  if (isCurrent(reply.request.headers['if-none-match'], bytes.etag)) return sendNothing(reply, bytes)
  const { range } = bytes
  void reply.code(range ? 206 : 200).type(bytes.mediaType)
  if (bytes.sizeBytes !== undefined) void reply.header('content-length', String(bytes.sizeBytes))
  if (bytes.acceptsRanges) void reply.header('accept-ranges', 'bytes')
  if (range) void reply.header('content-range', `bytes ${range.start}-${range.end}/${range.totalBytes}`)
  if (bytes.etag) void reply.header('etag', bytes.etag)
  void reply.header(
    'content-disposition',
    bytes.fileName === undefined ? 'attachment' : attachment(bytes.fileName),
  )
  return reply.send(bytes.stream)
}

/**
 * Cuts the connection if the credential ends during the transfer: the client sees that the file is
 * incomplete.
 */
function endWith(signal: AbortSignal, { raw }: FastifyReply, stream: Readable): void {
  if (signal.aborted) stream.destroy()
  signal.throwIfAborted()
  signal.addEventListener('abort', () => raw.destroy())
}

// The client has the current version: the response is its etag alone (RFC 9110, section 15.4.5).
function sendNothing(reply: FastifyReply, { stream, etag }: Bytes): FastifyReply {
  stream.destroy()
  return reply.code(304).header('etag', etag).send()
}

/** Builds `Content-Disposition` with an ASCII fallback and the full name (RFC 6266, RFC 8187). */
export function attachment(fileName: string): string {
  const fallback = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const full = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${fallback}"; filename*=UTF-8''${full}`
}
