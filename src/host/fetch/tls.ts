import { createHash, X509Certificate } from 'node:crypto'
import { connect, type TLSSocket } from 'node:tls'
import type { PinnedAddress } from './addresses.ts'
import { failureOf } from './failures.ts'
import { FetchFailed } from './problems.ts'
import { shownUrl } from './url.ts'

interface Opening {
  readonly url: URL
  readonly pinned: PinnedAddress
  readonly limits: { readonly connectMs: number; readonly ca?: string }
  readonly signal: AbortSignal | undefined
}

/** Connects without judging the certificate: the caller does, before anything is sent. */
export function openTls({ url, pinned, limits, signal }: Opening): Promise<TLSSocket> {
  const { host, port, address } = pinned
  signal?.throwIfAborted()
  const socket = connect({
    ...{ host: address, port, rejectUnauthorized: false },
    ...(host !== address && { servername: host }),
    ...(limits.ca !== undefined && { ca: limits.ca }),
  })
  const stop = () => socket.destroy(signal?.reason)
  const late = () =>
    socket.destroy(FetchFailed(`url: ${shownUrl(url)}: no answer within ${limits.connectMs / 1000} s`))
  const timer = setTimeout(late, limits.connectMs)
  signal?.addEventListener('abort', stop, { once: true })
  return new Promise<TLSSocket>((resolve, reject) => {
    socket.on('error', (error) => reject(failureOf(error, url, signal)))
    socket.once('secureConnect', () => resolve(socket))
  }).finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  })
}

/** The SHA-256 of the public key of a certificate in DER, in base64, as RFC 7469 pins it. */
export function pinOf(certificate: Buffer): string {
  return digestOf(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' }))
}

/** True if a certificate has a pinned key. Pins of older panels are, for elliptic curves, of the point alone. */
export function hasPin(certificate: Buffer, pin: string): boolean {
  if (pinOf(certificate) === pin) return true
  const { pubkey } = new X509Certificate(certificate).toLegacyObject()
  return pubkey !== undefined && digestOf(pubkey) === pin
}

const digestOf = (key: Buffer): string => createHash('sha256').update(key).digest('base64')
