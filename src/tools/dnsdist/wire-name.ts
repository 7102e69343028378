const longestLabel = 63
const longestName = 255

/**
 * Returns a domain name in the wire format of RFC 1035, section 3.1, in lower case; undefined for a name with an
 * empty label or one that is too long. Leading dots, which dnsdist refuses, and a final one are removed.
 */
export function wireName(name: string): Buffer | undefined {
  const labels = name
    .toLowerCase()
    .replace(/^\.+|\.$/g, '')
    .split('.')
    .map((label) => Buffer.from(label))
  if (labels.some(({ length }) => length === 0 || length > longestLabel)) return undefined
  const wire = Buffer.concat([...labels.flatMap((label) => [Buffer.of(label.length), label]), Buffer.of(0)])
  return wire.length > longestName ? undefined : wire
}
