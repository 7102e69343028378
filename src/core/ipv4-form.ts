/**
 * Returns an IPv4-mapped IPv6 address or network (RFC 4291, 2.5.5.2) in IPv4 form, however it is written:
 * `::ffff:c000:209` is `192.0.2.9`, and `::ffff:192.0.2.0/120` is `192.0.2.0/24`. Any other text is returned as it is.
 * Packets that a rule for the mapped form matches do not exist, and a socket for both families shows its IPv4 clients so.
 */
export function ipv4Form(text: string): string {
  const [, address = '', prefix] = /^([\da-f:.]*:ffff:[\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const host = address === '' ? undefined : URL.parse(`http://[${address}]`)?.hostname // in its shortest form
  const groups = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(host ?? '')?.slice(1)
  if (groups === undefined) return text
  const plain = groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
  if (prefix === undefined) return plain.join('.')
  const bits = Number(prefix) - 96
  return bits >= 0 && bits <= 32 ? `${plain.join('.')}/${bits}` : text
}
