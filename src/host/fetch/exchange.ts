import { Readable } from 'node:stream'
import type { Addresses, Asker } from './addresses.ts'
import { received } from './receive.ts'
import { ask, type Limits } from './request.ts'
import { portOf, readUrl } from './url.ts'

/** A request of a protocol over HTTP. */
export interface Exchange {
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly url: string
  readonly asker: Asker
  readonly body?: { readonly text: string; readonly contentType: string }
  /** Sent too, such as a credential. */
  readonly headers?: Readonly<Record<string, string>>
  /** Of the answer. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** The answer of a server, of any status. */
export interface Exchanged {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The answer of a server, of any status, while it arrives. The stream must be read to its end or destroyed. */
export interface Streamed {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly stream: Readable
}

/** Sends a request and returns once the headers of the answer are there; redirects are not followed. */
export async function streamed(addresses: Addresses, limits: Limits, wanted: Exchange): Promise<Streamed> {
  const { asker, signal, body, method, headers: sent } = wanted
  const url = readUrl(wanted.url)
  const pinned = await addresses.resolveAllowed(url.hostname, portOf(url), asker, signal)
  const response = await ask({ url, pinned, limits, signal, method, headers: sent, ...body })
  const { stallMs } = limits
  const parts = received({ response, url, wanted, stallMs, offset: 0, sizeBytes: undefined })
  const headers = Object.entries(response.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  )
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    stream: Readable.from(parts, { objectMode: false }),
  }
}

/** Sends a request and reads the whole answer; redirects are not followed. */
export async function exchange(addresses: Addresses, limits: Limits, wanted: Exchange): Promise<Exchanged> {
  const { stream, ...answered } = await streamed(addresses, limits, wanted)
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece)
  return { ...answered, text: Buffer.concat(pieces).toString() }
}
