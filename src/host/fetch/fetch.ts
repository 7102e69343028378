import type { Wanted } from './wanted.ts'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { Problem } from '../../core/problem.ts'
import type { Addresses, Asker } from './addresses.ts'
import { exchange, type Exchanged, type Exchange, streamed, type Streamed } from './exchange.ts'
import { type Answered, post, type Posted } from './post.ts'
import { askPeer, type PeerRequest } from './peer.ts'
import { pinnedKey, readKey, type ServerKey } from './pinned-key.ts'
import { FetchFailed } from './problems.ts'
import { received, tooLarge } from './receive.ts'
import { ask, type Limits } from './request.ts'
import { portOf, readUrl, shownUrl } from './url.ts'

/** A file being downloaded. The stream must be read to its end or destroyed; it fails on missing or surplus bytes, and on a timeout. */
export interface Fetched {
  readonly stream: Readable
  /** The offset of the stream's first byte in the file. */
  readonly offset: number
  /** The size of the whole file, if the server states it. */
  readonly sizeBytes: number | undefined
  /** Identifies this version of the file, to resume later. */
  readonly validator: string | undefined
}

export interface FetchOptions extends Partial<Limits> {
  readonly mostRedirects?: number
}

/** Requests by http and https, through the policy on addresses (decision 1.11). */
export interface Fetch {
  open(wanted: Wanted): Promise<Fetched>
  /** Sends JSON and reads the whole answer, of any status; redirects are not followed. */
  post(posted: Posted): Promise<Answered>
  /** Sends a request of a protocol over HTTP, such as ACME, and reads the whole answer, of any status; redirects are not followed. */
  exchange(exchange: Exchange): Promise<Exchanged>
  /** The same for an answer that is read as it arrives, such as a file whose status matters. */
  stream(exchange: Exchange): Promise<Streamed>
  /** Sends a request to another panel, whose public key may be pinned; redirects are not followed. */
  peer(request: PeerRequest): Promise<Answered>
  /** Reads the public key of a server by https, to pin it; nothing is sent. */
  readKey(url: string, asker: Asker, signal: AbortSignal): Promise<ServerKey>
}

const redirects = new Set([301, 302, 303, 307, 308])

/** Opens access to downloads. */
export function openFetch(addresses: Addresses, options: FetchOptions = {}): Fetch {
  const { mostRedirects = 5, connectMs = 15_000, stallMs = 30_000, ca } = options
  const limits = { connectMs, stallMs, ...(ca !== undefined && { ca }) }
  return {
    readKey: async (typed, asker, signal) => {
      const url = readUrl(typed)
      const pinned = await addresses.resolveAllowed(url.hostname, portOf(url), asker, signal)
      return readKey({ url, pinned, signal })
    },
    post: (posted) => post(addresses, limits, posted),
    peer: (wanted) => askPeer(addresses, limits, wanted),
    exchange: (wanted) => exchange(addresses, limits, wanted),
    stream: (wanted) => streamed(addresses, limits, wanted),
    open: async (wanted) => {
      let url = readUrl(wanted.url)
      for (let count = 0; count <= mostRedirects; count++) {
        wanted.signal?.throwIfAborted()
        const pinned = await addresses.resolveAllowed(url.hostname, portOf(url), wanted.asker, wanted.signal)
        const trusted = await pinnedKey(wanted.pin, { url, pinned, signal: wanted.signal })
        const response = await ask({ url, pinned, limits, ...sentWith(wanted), trusted })
        if (wanted.post !== undefined || !redirects.has(response.statusCode ?? 0))
          return taken(response, url, wanted, stallMs)
        url = leadsTo(response, url)
      }
      throw FetchFailed(`url: ${shownUrl(url)}: more than ${mostRedirects} redirects`)
    },
  }
}

const sentWith = ({ signal, from, post }: Wanted) => ({
  signal,
  from,
  ...(post && { text: JSON.stringify(post.body), headers: post.headers }),
})

function leadsTo(response: IncomingMessage, from: URL): URL {
  response.destroy()
  const { location } = response.headers
  if (location === undefined)
    throw FetchFailed(`url: ${shownUrl(from)}: the server redirects without saying where`)
  const to = URL.parse(location, from)
  if (to === null) throw FetchFailed(`url: ${shownUrl(from)}: the server redirects to an invalid URL`)
  try {
    return readUrl(to.href)
  } catch (cause) {
    throw cause instanceof Problem
      ? FetchFailed(`url: ${shownUrl(from)}: the server redirects to a URL that is refused: ${cause.message}`)
      : cause
  }
}

function taken(response: IncomingMessage, url: URL, wanted: Wanted, stallMs: number): Fetched {
  try {
    const { statusCode: status, headers } = response
    if (status === 416 && wanted.from && headers['content-range'] === `bytes */${wanted.from.offset}`)
      return complete(response, wanted.from)
    if (status !== 200 && status !== 206)
      throw FetchFailed(`url: ${shownUrl(url)}: the server answered ${status}`)
    const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
    const offset = status === 206 ? continuedAt(headers['content-range'], wanted.from?.offset) : 0
    const sizeBytes = length === undefined ? undefined : offset + length
    if (sizeBytes !== undefined && sizeBytes > wanted.maxBytes)
      throw tooLarge(url, `the file has ${sizeBytes} bytes`, wanted.maxBytes)
    const stream = Readable.from(received({ response, url, wanted, stallMs, offset, sizeBytes }), {
      objectMode: false,
    })
    return { stream, offset, sizeBytes, validator: validatorOf(headers) }
  } catch (error) {
    response.destroy()
    throw error
  }
}

// Nothing was missing: the file ends where the earlier download was interrupted.
function complete(
  response: IncomingMessage,
  { offset, validator }: { readonly offset: number; readonly validator: string },
): Fetched {
  response.destroy()
  return { stream: Readable.from([]), offset, sizeBytes: offset, validator }
}

function continuedAt(range: string | undefined, offset: number | undefined): number {
  const [, from, last, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(range ?? '') ?? []
  const isRest = total === '*' || Number(last) + 1 === Number(total)
  if (offset === undefined || Number(from) !== offset || !isRest)
    throw FetchFailed('url: the server sent a different part than requested')
  return offset
}

/** A strong entity tag, or the modification time (RFC 9110, section 13.1.5). */
function validatorOf({ etag, 'last-modified': changed }: IncomingMessage['headers']): string | undefined {
  return etag !== undefined && !etag.startsWith('W/') ? etag : changed
}
