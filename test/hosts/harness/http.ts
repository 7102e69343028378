import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { connect as tlsConnect } from 'node:tls'
import type { Socket } from 'node:net'

/** A request as a client inside the host sends it; `headers.Host` chooses the site. */
export interface HttpRequest {
  readonly method?: string
  readonly path?: string
  /** Default 80, or 443 with `tls`. */
  readonly port?: number
  /** Default 127.0.0.1, the host's own loopback. */
  readonly address?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Uint8Array
  /** Uses TLS; the certificate is checked only against `ca`, if given. */
  readonly tls?: { readonly servername?: string; readonly ca?: string }
  readonly timeoutMs?: number
}

/** A complete response, in memory. */
export interface HttpResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  /** The body parsed as JSON; throws an error that quotes the body if it is not JSON. */
  json(): unknown
}

const maxResponseBytes = 256 * 1024 * 1024

/** Sends a request over a connection and resolves with the response once its headers are in; its body is still to be read. */
export async function openResponse(connection: Socket, request: HttpRequest): Promise<IncomingMessage> {
  const socket = request.tls === undefined ? connection : await speakTls(connection, request.tls)
  const { method = 'GET', path = '/', address = '127.0.0.1', body, timeoutMs = 120_000 } = request
  const headers: OutgoingHttpHeaders = { ...request.headers }
  if (body !== undefined) headers['Content-Length'] ??= Buffer.byteLength(body)
  if (!Object.keys(headers).some((name) => name.toLowerCase() === 'host'))
    headers['Host'] = address.includes(':') ? `[${address}]` : address
  const outgoing = httpRequest({ method, path, headers, setHost: false, createConnection: () => socket })
  outgoing.setTimeout(timeoutMs, () =>
    outgoing.destroy(new Error(`no answer to ${method} ${path} within ${timeoutMs} ms`)),
  )
  for (const end of [outgoing, socket]) end.on('error', () => {}) // one that comes after the answer, as a body is still sent, has nobody to tell
  outgoing.end(body)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return response
}

/** Reads a response to its end. */
export async function readResponse(response: IncomingMessage): Promise<HttpResponse> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxResponseBytes) throw new Error(`a response of more than ${maxResponseBytes} bytes`)
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  const text = bytes.toString('utf8')
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    bytes,
    text,
    json: () => parseJson(text),
  }
}

async function speakTls(connection: Socket, tls: NonNullable<HttpRequest['tls']>): Promise<Socket> {
  const secure = tlsConnect({
    socket: connection,
    servername: tls.servername,
    ca: tls.ca,
    rejectUnauthorized: tls.ca !== undefined,
  })
  await once(secure, 'secureConnect')
  return secure
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`not JSON: ${text.slice(0, 500)}`, { cause })
  }
}
