import type { FastifyReply } from 'fastify'
import { promisify } from 'node:util'
import { brotliCompress, type BrotliOptions, constants, gzip } from 'node:zlib'
import { accepts, type ContentEncoding } from './content-encoding.ts'

/** Below it, compression saves less than a packet. */
const leastBytes = 1024

const encoders: Readonly<Record<ContentEncoding, (text: string | Buffer) => Promise<Buffer>>> = {
  br: (text) => compressBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text) => compressGzip(text),
}
// read at the first answer that is compressed: Node loads its compression then
const compressBrotli: (text: string | Buffer, options: BrotliOptions) => Promise<Buffer> = (...given) =>
  promisify<string | Buffer, BrotliOptions, Buffer>(brotliCompress)(...given)
const compressGzip = (text: string | Buffer): Promise<Buffer> =>
  promisify<string | Buffer, Buffer>(gzip)(text)

/** Returns a text in an encoding; rejects if it cannot be compressed. */
type Packing = (encoding: ContentEncoding) => Promise<Buffer>

/**
 * Sends a text, compressed if it is large and the client accepts that. A text with a strong ETag is sent as it
 * is: its bytes would differ under one tag (RFC 9110, section 8.8.1). Secrets are not at risk from a length that
 * varies with the input of another site (BREACH), as no site can send an authenticated request: the token is in a
 * header.
 */
export function sendText(reply: FastifyReply, text: string | Buffer): FastifyReply {
  return sendPacked(reply, text, (encoding) => encoders[encoding](text))
}

/** Returns the function that sends a text which stays the same: each of its compressed forms is made once. */
export function fixedText(text: Buffer): (reply: FastifyReply) => FastifyReply {
  const packed = new Map<ContentEncoding, Promise<Buffer>>()
  const pack: Packing = (encoding) => {
    const made = packed.get(encoding) ?? encoders[encoding](text)
    packed.set(encoding, made)
    made.catch(() => packed.delete(encoding))
    return made
  }
  return (reply) => sendPacked(reply, text, pack)
}

function sendPacked(reply: FastifyReply, text: string | Buffer, pack: Packing): FastifyReply {
  if (text.length < leastBytes || reply.hasHeader('etag')) return reply.send(text)
  void reply.header('vary', 'accept-encoding')
  const accepted = reply.request.headers['accept-encoding']
  const encoding = (['br', 'gzip'] as const).find((each) => accepts(accepted, each))
  if (encoding === undefined) return reply.send(text)
  pack(encoding).then(
    (bytes) => reply.header('content-encoding', encoding).send(bytes),
    () => reply.send(text),
  )
  return reply
}
