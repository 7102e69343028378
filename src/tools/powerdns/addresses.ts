import { isAddress, isV4 } from '../../host/fetch/index.ts'

/** True for an IPv6 address without the name of an interface. */
export const isV6 = (text: string): boolean => isAddress(text) && !isV4(text) && !text.includes('%')

/** Returns the shortest form of an IPv6 address in hexadecimal groups: PowerDNS 4.7 takes no dotted AAAA. */
export const hexadecimalForm = (address: string): string =>
  new URL(`http://[${address}]`).hostname.slice(1, -1)

/** IPv4-mapped addresses, and those of ::/96 whose seventh group is not zero. */
const embedding = /^(::(?:ffff:)?)([\da-f]{1,4}):([\da-f]{1,4})$/

/** Returns an IPv6 address as PowerDNS writes it: its last four bytes are dotted where inet_ntop writes them so. */
export function writtenForm(address: string): string {
  const shortest = hexadecimalForm(address)
  const [, prefix, ...groups] = embedding.exec(shortest) ?? []
  if (prefix === undefined) return shortest
  const bytes = groups.flatMap((group) => [...Buffer.from(group.padStart(4, '0'), 'hex')])
  return `${prefix}${bytes.join('.')}`
}
