const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The key of a secret in base32 (RFC 4648), as an authenticator app reads it. */
export function keyOf(secret: string): Buffer {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
