const longestLabel = 63
const longestName = 255
const dot = 46

/**
 * Returns a domain name in the wire format of RFC 1035, section 3.1, in lower case; undefined for a name with an
 * empty label or one that is too long. Leading dots, which dnsdist refuses, and a final one are removed.
 */
export function wireName(name: string): Buffer | undefined {
  const text = Buffer.from(name.toLowerCase().replace(/^\.+|\.$/g, ''))
  const length = text.length + 2
  if (length > longestName) return undefined
  const wire = Buffer.alloc(length)
  text.copy(wire, 1)
  let start = 0
  // each dot becomes the length of the label after it
  for (let at = 1; at < length; at += 1) {
    if (at < length - 1 && wire[at] !== dot) continue
    const labelLength = at - start - 1
    if (labelLength === 0 || labelLength > longestLabel) return undefined
    wire[start] = labelLength
    start = at
  }
  return wire
}

/** Returns the name of a wire format, without a final dot. */
export function nameOf(wire: Buffer): string {
  const labels: string[] = []
  for (let at = 0; at < wire.length && wire[at] !== 0; at += wire[at]! + 1)
    labels.push(wire.toString('utf8', at + 1, at + 1 + wire[at]!))
  return labels.join('.')
}
