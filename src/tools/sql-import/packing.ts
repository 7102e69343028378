/** How the content of a file is packed, by its first bytes: its name may say anything. */
export type Packing = 'gzip' | 'zip' | 'plain'

/** The number of bytes that tell what a file is. */
export const sniffedBytes = 4096

/** Returns how a file is packed; `start` is its beginning. */
export function packingOf(start: Buffer): Packing {
  if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip'
  return start.toString('latin1', 0, 4) === 'PK\x03\x04' ? 'zip' : 'plain'
}
