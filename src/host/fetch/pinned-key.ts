import { createHash } from 'node:crypto'
import { connect, type PeerCertificate } from 'node:tls'
import type { PinnedAddress } from './addresses.ts'
import { failureOf } from './failures.ts'
import { FetchFailed } from './problems.ts'
import { portOf, shownUrl } from './url.ts'

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

const limitMs = 15_000

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
  if (pinOf(certificate) !== pin) throw refuse()
  return {
    ca: `-----BEGIN CERTIFICATE-----\n${certificate.raw.toString('base64')}\n-----END CERTIFICATE-----\n`,
    checkServerIdentity: (_host, sent) => (pinOf(sent) === pin ? undefined : refuse()),
  }
}

const pinOf = ({ pubkey }: PeerCertificate): string =>
  createHash('sha256')
    .update(pubkey ?? '')
    .digest('base64')

function shakeHands({
  url,
  pinned,
  signal,
}: Server): Promise<{ certificate: PeerCertificate; isValid: boolean }> {
  if (url.protocol !== 'https:')
    throw FetchFailed(`url: ${shownUrl(url)}: has no key, because it is not https`)
  const { promise, resolve, reject } = Promise.withResolvers<{
    certificate: PeerCertificate
    isValid: boolean
  }>()
  const socket = connect({
    host: pinned.address,
    port: portOf(url),
    ...(/^[\d.]+$|:/.test(pinned.host) ? {} : { servername: pinned.host }),
    rejectUnauthorized: false,
    timeout: limitMs,
  })
  const stop = () => socket.destroy(new Error('stopped'))
  signal?.addEventListener('abort', stop, { once: true })
  socket.on('timeout', () =>
    socket.destroy(FetchFailed(`url: ${shownUrl(url)}: no answer within ${limitMs / 1000} s`)),
  )
  socket.on('error', (error) => reject(failureOf(error, url, signal)))
  socket.on('secureConnect', () => {
    resolve({ certificate: socket.getPeerCertificate(), isValid: socket.authorized })
    socket.destroy()
  })
  return promise.finally(() => signal?.removeEventListener('abort', stop))
}
