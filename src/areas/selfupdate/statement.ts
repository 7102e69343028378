import type { KeyObject } from 'node:crypto'
import { createPublicKey, verify } from 'node:crypto'

/** What a signature covers: everything about a release but the place from which it is fetched. */
export interface Release {
  readonly version: string
  readonly architecture: string
  readonly sha256: string
  readonly notes: string
}

/** Returns the bytes that are signed. The notes come last: they may have several lines. */
export const statementOf = ({ version, architecture, sha256, notes }: Release): Buffer =>
  Buffer.from(['hostreeve-release-1', version, architecture, sha256, notes].join('\n'))

/** True if the signature, in base64, was made with the private half of a key of 32 bytes in base64. */
export function isSignedBy(publicKey: string, release: Release, signature: string): boolean {
  return verify(null, statementOf(release), keyOf(publicKey), Buffer.from(signature, 'base64'))
}

function keyOf(base64: string): KeyObject {
  const x = Buffer.from(base64, 'base64').toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}
