import { createHmac, timingSafeEqual } from 'node:crypto'

const stepSeconds = 30
const digits = 6
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes in base32 without padding (RFC 4648), as authenticator apps read secrets. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

/** Returns the number of the time step of 30 s that contains a moment. */
export const counterAt = (now: Date): number => Math.floor(now.getTime() / 1000 / stepSeconds)

/** Returns the code of a time step (RFC 6238 with SHA-1 and 6 digits, the only variant that all apps know). */
export function codeOf(key: Uint8Array, counter: number): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac('sha1', key).update(message).digest()
  const offset = mac[19]! & 15
  const number = mac.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/**
 * Returns the time step whose code was given: that of `now`, the one before or the one after, because clocks differ.
 * Undefined if there is none, or only one that is not after the last used step.
 */
export function matchingCounter(
  key: Uint8Array,
  code: string,
  { now, lastUsed }: { readonly now: Date; readonly lastUsed: number },
): number | undefined {
  const current = counterAt(now)
  const matching = [current - 1, current, current + 1].filter((each) => isSame(codeOf(key, each), code))
  return matching.find((each) => each > lastUsed)
}

function isSame(wanted: string, given: string): boolean {
  const [one, other] = [Buffer.from(wanted), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
