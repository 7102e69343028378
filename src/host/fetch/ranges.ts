import { ipv4Form } from '../../core/ipv4-form.ts'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

// Loopback, link-local, RFC 1918, carrier-grade NAT, metadata services, multicast and reserved. IANA special-purpose registry, RFC 6890.
const internalV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32', // metadata of Azure, a public address
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Where IPv6 addresses embed an IPv4 address: prefix, and offset of the first of its four bytes. */
const embedding = [
  { range: '::/96', at: 12 }, // IPv4-compatible; ::1 and :: become 0.0.0.1 and 0.0.0.0
  { range: '::ffff:0:0:0/96', at: 12 }, // IPv4-translated
  { range: '64:ff9b::/96', at: 12 }, // NAT64
  { range: '2002::/16', at: 2 }, // 6to4
].map(({ range, at }) => ({ list: rangesOf([range]), at }))

const internal = rangesOf(internalV4)
const globalV6 = rangesOf(['2000::/3'])
const teredo = rangesOf(['2001::/32']) // obfuscates an IPv4 address, and is obsolete

/** A set of addresses. */
export interface Ranges {
  has(address: string): boolean
}

/** Returns true if an address is not public: loopback, link-local, private, metadata, multicast or reserved, also embedded in an IPv6 address. */
export function isInternal(address: string): boolean {
  if (isIPv4(ipv4Form(address))) return internal.has(address)
  if (!isIPv6(address) || address.includes('%')) return true // a zone names a link of this host
  const inside = embeddedV4(address)
  return inside === undefined ? !globalV6.has(address) || teredo.has(address) : internal.has(inside)
}

/** Returns the IPv4 address to which packets for an IPv6 address are finally sent, if it embeds one. */
export function embeddedV4(address: string): string | undefined {
  const form = ipv4Form(address)
  if (form !== address) return form
  const found = isIPv6(address) ? embedding.find(({ list }) => list.has(address)) : undefined
  return found && [...bytesOf(address).subarray(found.at, found.at + 4)].join('.')
}

/** Parses addresses and networks such as `10.0.0.0/8` and `fd12::1`, mapped ones in their IPv4 form; throws a RangeError that quotes the invalid one. */
export function rangesOf(texts: readonly string[]): Ranges {
  const [v4, v6] = [new BlockList(), new BlockList()]
  for (const text of texts) {
    const [address = '', length, ...rest] = ipv4Form(text).split('/')
    const most = isIPv4(address) ? 32 : isIPv6(address) && !address.includes('%') ? 128 : -1
    const bits = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : most + 1
    if (most < 0 || bits > most || rest.length > 0)
      throw new RangeError(`${text} is not an address or network such as 192.0.2.0/24`)
    if (most === 32) v4.addSubnet(address, bits, 'ipv4')
    else v6.addSubnet(address, bits, 'ipv6')
  }
  // Separate, because a BlockList of Node also matches IPv4-mapped addresses against IPv4 ranges.
  return {
    has: (text) => {
      const address = ipv4Form(text)
      return isIPv4(address) ? v4.check(address, 'ipv4') : isIPv6(address) && v6.check(address, 'ipv6')
    },
  }
}

/** Returns the sixteen bytes of an IPv6 address. */
function bytesOf(address: string): Buffer {
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1) // normalised to hexadecimal groups
  const [head = '', tail] = text.split('::')
  const groups = (part: string) => part.split(':').filter(Boolean)
  const [before, after] = [groups(head), groups(tail ?? '')]
  const all = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

/** Returns true for an IPv4 or IPv6 address. */
export const isAddress = (text: string): boolean => isIP(text) !== 0

/** Returns true for an IPv4 address. */
export const isV4 = (address: string): boolean => isIPv4(address)
