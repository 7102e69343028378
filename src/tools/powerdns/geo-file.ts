const marker = Buffer.from('abcdef', 'hex').toString('latin1') + 'MaxMind.com'
const field = 'build_epoch'

/**
 * Returns when an MMDB file was built, from its metadata (https://maxmind.github.io/MaxMind-DB/); undefined if it is none.
 * The content is read as one character for each byte.
 */
export function builtAt(content: string): Date | undefined {
  const start = content.lastIndexOf(marker)
  if (start === -1) return undefined
  const bytes = Buffer.from(content.slice(start + marker.length), 'latin1')
  const at = bytes.indexOf(field)
  if (at === -1) return undefined
  // uint64: the control byte has the size and type 0, the next one is the type less 7
  const from = at + field.length
  const [control = 0, type = 0] = bytes.subarray(from, from + 2)
  const size = control & 31
  const value = bytes.subarray(from + 2, from + 2 + size)
  if (control >> 5 !== 0 || type !== 2 || size > 8 || value.length < size) return undefined
  return new Date(value.reduce((sum, byte) => sum * 256 + byte, 0) * 1000)
}
