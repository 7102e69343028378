import type { Addresses, Asker } from './addresses.ts'
import { pinnedKey } from './pinned-key.ts'
import { received } from './receive.ts'
import { ask, type Limits } from './request.ts'
import { portOf, readUrl } from './url.ts'

/** A JSON body for a server, and how much it may answer. */
export interface Posted {
  readonly url: string
  readonly asker: Asker
  readonly body: object
  /** Further headers for the text of the body, such as its signature. */
  readonly headers?: (text: string) => Readonly<Record<string, string>>
  /** Of the answer. */
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** The public key that the server must have, as `readKey` returns it; empty for a certificate that is valid for its name. */
  readonly pin?: string
}

/** The answer of a server, of any status. */
export interface Answered {
  readonly status: number
  readonly text: string
}

/** Sends a body and reads the whole answer; redirects are not followed. */
export async function post(addresses: Addresses, limits: Limits, posted: Posted): Promise<Answered> {
  const { asker, signal, body, headers } = posted
  const url = readUrl(posted.url)
  const pinned = await addresses.resolveAllowed(url.hostname, portOf(url), asker, signal)
  const trusted = await pinnedKey(posted.pin, { url, pinned, signal })
  const json = JSON.stringify(body)
  const response = await ask({ url, pinned, limits, signal, text: json, headers: headers?.(json), trusted })
  const { stallMs } = limits
  const parts = received({ response, url, wanted: posted, stallMs, offset: 0, sizeBytes: undefined })
  const pieces: Buffer[] = []
  for await (const piece of parts) pieces.push(piece)
  return { status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() }
}
