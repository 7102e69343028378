import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import type { PinnedKey } from './pinned-key.ts'
import type { PinnedAddress } from './addresses.ts'
import { failureOf } from './failures.ts'
import { FetchFailed } from './problems.ts'
import { portOf, shownUrl } from './url.ts'

export interface Limits {
  /** Until the headers of the response have arrived. */
  readonly connectMs: number
  /** Between two parts of the file. */
  readonly stallMs: number
  /** The only trusted certificates, in tests. */
  readonly ca?: string
}

interface Asked {
  readonly url: URL
  readonly pinned: PinnedAddress
  readonly limits: Limits
  readonly signal: AbortSignal | undefined
  readonly from?: { readonly offset: number; readonly validator: string } | undefined
  /** Text to send with POST; absent for GET. */
  readonly text?: string
  /** Of the text. Default: `application/json`. */
  readonly contentType?: string
  /** Default: POST with a text, GET otherwise. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A connection to the address on which the request is sent. */
  readonly socket?: Socket
  /** In addition to its own. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The server's certificate with the key that it must have, instead of one that is valid for its name. */
  readonly trusted?: PinnedKey | undefined
}

/** Requests a URL at the checked address; `Host` and the certificate are those of the name. Nothing is decompressed. */
export function ask({ url, pinned, limits, signal, ...asked }: Asked): Promise<IncomingMessage> {
  const { from, text, headers, socket } = asked
  const options: RequestOptions & { readonly ca?: string } & Partial<PinnedKey> = {
    method: asked.method ?? (text === undefined ? 'GET' : 'POST'),
    hostname: pinned.host,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    ...(socket === undefined ? { agent: false } : { createConnection: () => socket }),
    headers: {
      ...headers,
      host: url.host,
      'user-agent': 'Hostreeve',
      accept: '*/*',
      'accept-encoding': 'identity',
      connection: 'close',
      ...(text !== undefined && {
        'content-type': asked.contentType ?? 'application/json',
        'content-length': Buffer.byteLength(text),
      }),
      ...(from && { range: `bytes=${from.offset}-`, 'if-range': from.validator }),
    },
    lookup: lookupOf(pinned),
    ...(signal && { signal }),
    ...(limits.ca !== undefined && { ca: limits.ca }),
    ...asked.trusted,
  }
  const closed = () => FetchFailed(`url: ${shownUrl(url)}: the connection was closed`)
  if (socket?.destroyed) return Promise.reject(closed())
  const request = url.protocol === 'https:' && socket === undefined ? httpsRequest : httpRequest
  const asking = request(options)
  return new Promise((resolve, reject) => {
    const late = () =>
      asking.destroy(FetchFailed(`url: ${shownUrl(url)}: no answer within ${limits.connectMs / 1000} s`))
    const timer = setTimeout(late, limits.connectMs)
    asking.on('close', () => {
      clearTimeout(timer)
      reject(closed()) // a connection that failed before the request took it is told by nothing else
    })
    asking.on('error', (error) => reject(failureOf(error, url, signal)))
    asking.on('response', (response) => {
      clearTimeout(timer)
      response.on('error', () => {}) // the reader of the response receives the error
      resolve(response)
    })
    asking.end(text)
  })
}

const lookupOf =
  ({ address, family }: PinnedAddress): NonNullable<RequestOptions['lookup']> =>
  (_host, { all }, done) =>
    all === true ? done(null, [{ address, family }]) : done(null, address, family)
