import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { TLSSocket } from 'node:tls'
import { type PinnedAddress, portOf } from '../fetch/index.ts'

/** A request to a web server whose answer tells how it does. */
export interface WebAsked {
  readonly url: URL
  readonly pinned: PinnedAddress
  readonly method: string
  /** True if any certificate is accepted. */
  readonly isUnverified: boolean
  /** Of the beginning of the answer; 0 to read none of it. */
  readonly maxBytes: number
  /** JSON to send. */
  readonly text?: string
  readonly signal: AbortSignal
}

/** The answer of a web server, of any status. */
export interface WebAnswer {
  readonly status: number
  /** Its beginning. */
  readonly text: string
  readonly location: string | undefined
  /** When its certificate expires; undefined without TLS. */
  readonly validUntil: Date | undefined
}

/** Sends a request to the pinned address and reads the beginning of the answer; redirects are not followed. */
export async function askWeb(asked: WebAsked): Promise<WebAnswer> {
  const response = await answerTo(asked)
  try {
    const { headers, statusCode: status = 0 } = response
    const validUntil = expiryOf(response)
    return {
      status,
      text: await beginningOf(response, asked.maxBytes),
      location: headers.location,
      validUntil,
    }
  } finally {
    response.destroy()
  }
}

function answerTo({ url, pinned, method, isUnverified, text, signal }: WebAsked): Promise<IncomingMessage> {
  const { address, family, host } = pinned
  const options: RequestOptions & { readonly rejectUnauthorized: boolean } = {
    method,
    hostname: host,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    agent: false,
    signal,
    rejectUnauthorized: !isUnverified,
    headers: {
      host: url.host,
      'user-agent': 'Hostreeve',
      accept: '*/*',
      'accept-encoding': 'identity',
      connection: 'close',
      ...(text !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      }),
    },
    lookup: (_host, { all }, done) =>
      all === true ? done(null, [{ address, family }]) : done(null, address, family),
  }
  const asking = url.protocol === 'https:' ? httpsRequest(options) : httpRequest(options)
  return new Promise((resolve, reject) => {
    asking.on('error', reject)
    asking.on('response', (response) => {
      response.on('error', () => {}) // the reader of the response receives the error
      resolve(response)
    })
    asking.end(text)
  })
}

function expiryOf({ socket }: IncomingMessage): Date | undefined {
  if (!(socket instanceof TLSSocket)) return undefined
  const { valid_to: end } = socket.getPeerCertificate()
  return end === undefined ? undefined : new Date(end)
}

async function beginningOf(response: IncomingMessage, maxBytes: number): Promise<string> {
  if (maxBytes === 0) return ''
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of response) {
    pieces.push(piece)
    size += piece.length
    if (size >= maxBytes) break
  }
  return Buffer.concat(pieces).subarray(0, maxBytes).toString()
}
