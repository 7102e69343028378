import type { TLSSocket } from 'node:tls'
import type { Addresses, Asker } from './addresses.ts'
import { PeerUntrusted } from './problems.ts'
import type { Answered } from './post.ts'
import { received } from './receive.ts'
import { ask, type Limits } from './request.ts'
import { openTls, pinOf } from './tls.ts'
import { portOf, readUrl, shownUrl } from './url.ts'

/** A request to another panel. */
export interface PeerRequest {
  readonly url: string
  readonly asker: Asker
  /** Contain the key, which is sent only once the certificate is found to be the expected one. */
  readonly headers: Readonly<Record<string, string>>
  /** SHA-256 of the public key of the other panel in base64; empty: its certificate must be one that this host trusts. */
  readonly publicKey: string
  /** True to accept also a certificate that this host trusts, whatever its public key is. */
  readonly orTrusted?: boolean
  /** Sent as JSON. */
  readonly body?: object
  /** A body as it is to be sent, instead. */
  readonly text?: string
  /** Default: POST with a body, GET otherwise. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Until the headers of the answer have arrived, where that takes longer than a download may. */
  readonly answerMs?: number
  /** Of the answer. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** Sends a request to another panel and reads the whole answer; redirects are not followed. */
export async function askPeer(addresses: Addresses, limits: Limits, wanted: PeerRequest): Promise<Answered> {
  const { asker, signal, body, headers } = wanted
  const url = readUrl(wanted.url)
  const pinned = await addresses.resolveAllowed(url.hostname, portOf(url), asker, signal)
  const socket = url.protocol === 'https:' ? await openTls({ url, pinned, limits, signal }) : undefined
  try {
    if (socket !== undefined) assertKnown(socket, url, wanted)
    const text = wanted.text ?? (body && JSON.stringify(body))
    const { method, answerMs = limits.connectMs } = wanted
    const sent = { ...(text !== undefined && { text }), ...(socket && { socket }), ...(method && { method }) }
    const waits = { ...limits, connectMs: answerMs }
    const response = await ask({ url, pinned, limits: waits, signal, headers, ...sent })
    const { stallMs } = limits
    const pieces: Buffer[] = []
    for await (const piece of received({ response, url, wanted, stallMs, offset: 0, sizeBytes: undefined }))
      pieces.push(piece)
    return { status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() }
  } finally {
    socket?.destroy()
  }
}

function assertKnown(
  socket: TLSSocket,
  url: URL,
  { publicKey, orTrusted = false }: Pick<PeerRequest, 'publicKey' | 'orTrusted'>,
): void {
  const found = publicKeyOf(socket)
  if (socket.authorized && (publicKey === '' || orTrusted)) return
  if (publicKey !== '' && found === publicKey) return
  const why =
    publicKey === ''
      ? `the certificate is not trusted here (${String(socket.authorizationError)})`
      : 'the certificate has another public key than the one that was entered'
  throw PeerUntrusted(`url: ${shownUrl(url)}: ${why}; the SHA-256 of its public key is ${found ?? 'unknown'}`)
}

function publicKeyOf(socket: TLSSocket): string | undefined {
  const certificate = socket.getPeerX509Certificate()
  return certificate && pinOf(certificate.raw)
}
