/** Reads the length-prefixed strings of an SSH message, from the first on (RFC 4251, section 5); undefined if it is damaged. */
export function wireStrings(blob: Buffer): readonly Buffer[] | undefined {
  const strings: Buffer[] = []
  for (let at = 0; at < blob.length;) {
    if (at + 4 > blob.length) return undefined
    const end = at + 4 + blob.readUInt32BE(at)
    if (end > blob.length) return undefined
    strings.push(blob.subarray(at + 4, end))
    at = end
  }
  return strings
}

/** The bits of a positive number as it is encoded there, with a zero byte before a leading one bit. */
export function bitsOf(number: Buffer): number {
  const start = number.findIndex((byte) => byte !== 0)
  return start < 0 ? 0 : (number.length - start) * 8 - Math.clz32(number[start] ?? 0) + 24
}
