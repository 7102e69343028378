import type { PeerCertificate } from 'node:tls'
import type { PinnedAddress } from './addresses.ts'
import { FetchFailed } from './problems.ts'
import { hasPin, openTls, pinOf } from './tls.ts'
import { shownUrl } from './url.ts'

/** The key of a server. */
export interface ServerKey {
  /** SHA-256 of its public key, in base64. */
  readonly pin: string
  /** True if its certificate is valid for its name, so that the key need not be pinned. */
  readonly isValid: boolean
}

/** The options of a connection that accepts one certificate, as long as it has the wanted key. */
export interface PinnedKey {
  readonly ca: string
  readonly checkServerIdentity: (host: string, certificate: PeerCertificate) => Error | undefined
}

interface Server {
  readonly url: URL
  readonly pinned: PinnedAddress
  readonly signal: AbortSignal | undefined
}

const limitMs = 10_000

/** Reads the key of a server; nothing is sent to it but the handshake. */
export async function readKey(server: Server): Promise<ServerKey> {
  const { certificate, isValid } = await shakeHands(server)
  return { pin: pinOf(certificate), isValid }
}

/**
 * Returns the options by which a request reaches a server that has this key, and no other; none without a pin. The
 * certificate is read by a connection before, on which nothing is sent: a new one of the same key is accepted.
 */
export async function pinnedKey(pin: string | undefined, server: Server): Promise<PinnedKey | undefined> {
  if (pin === undefined || pin === '') return undefined
  const { certificate } = await shakeHands(server)
  const refuse = () =>
    FetchFailed(
      `url: ${shownUrl(server.url)}: the server has another key than before: nothing was sent to it`,
    )
  if (!hasPin(certificate, pin)) throw refuse()
  return {
    ca: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
    checkServerIdentity: (_host, sent) => (hasPin(sent.raw, pin) ? undefined : refuse()),
  }
}

async function shakeHands({
  url,
  pinned,
  signal,
}: Server): Promise<{ readonly certificate: Buffer; readonly isValid: boolean }> {
  if (url.protocol !== 'https:')
    throw FetchFailed(`url: ${shownUrl(url)}: has no key, because it is not https`)
  const socket = await openTls({ url, pinned, signal, limits: { connectMs: limitMs } })
  try {
    const certificate = socket.getPeerX509Certificate()
    if (certificate === undefined) throw FetchFailed(`url: ${shownUrl(url)}: it sent no certificate`)
    return { certificate: certificate.raw, isValid: socket.authorized }
  } finally {
    socket.destroy()
  }
}
