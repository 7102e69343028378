import { ipv4Form } from '../core/ipv4-form.ts'
import { BlockList, isIP } from 'node:net'

/** An address, or a network by its first address. */
export interface Network {
  readonly family: 'ipv4' | 'ipv6'
  readonly address: string
  readonly prefix: number
}

/** Reads an address or a network, a mapped one in its IPv4 form; undefined unless it is one. Its host bits may be set. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', bits, ...more] = ipv4Form(text).split('/')
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  const prefix = bits === undefined ? most : Number(bits)
  if (version === 0 || more.length > 0 || address.includes('%')) return undefined
  if (bits !== undefined && !/^(?:0|[1-9]\d{0,2})$/.test(bits)) return undefined
  return prefix > most ? undefined : { family: version === 4 ? 'ipv4' : 'ipv6', address, prefix }
}

/** Returns an IPv6 address as other programs print it (RFC 5952); any other text as it is. */
export function canonicalAddress(text: string): string {
  const network = parseNetwork(text)
  if (network?.family !== 'ipv6' || network.address !== text) return text
  return new URL(`http://[${text}]/`).hostname.slice(1, -1)
}

/** True if a network has bits set after its prefix, as `192.0.2.1/24` has. */
export function hasHostBits({ family, address, prefix }: Network): boolean {
  const width = family === 'ipv4' ? 32n : 128n
  const rest = width - BigInt(prefix)
  return (bitsOf(address, family) & ((1n << rest) - 1n)) !== 0n
}

/** True if an address is in one of these networks. A mapped address counts as the IPv4 address. */
export function isWithin(address: string, networks: readonly string[]): boolean {
  const own = parseNetwork(address)
  if (own === undefined) return false
  return listOf(networks).check(own.address, own.family)
}

/** Drops the networks that are inside others of the list: nftables refuses overlapping elements. */
export function withoutNested(networks: readonly Network[]): readonly Network[] {
  const kept = new Set<Network>()
  const covered = { ipv4: new BlockList(), ipv6: new BlockList() } // one list would match IPv4 within IPv6
  for (const each of networks.toSorted((one, other) => one.prefix - other.prefix)) {
    const { family, address, prefix } = each
    if (covered[family].check(address, family)) continue
    covered[family].addSubnet(address, prefix, family)
    kept.add(each)
  }
  return networks.filter((each) => kept.has(each))
}

/** A network as nftables takes it. */
export function textOf({ family, address, prefix }: Network): string {
  return prefix === (family === 'ipv4' ? 32 : 128) ? address : `${address}/${prefix}`
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of networks) {
    const network = parseNetwork(text)
    if (network) list.addSubnet(network.address, network.prefix, network.family)
  }
  return list
}

function bitsOf(address: string, family: Network['family']): bigint {
  if (family === 'ipv4') return address.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n)
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const hex = (high: string, low: string) => ((Number(high) << 8) | Number(low)).toString(16)
  const plain = dotted
    ? `${dotted[1]}${hex(dotted[2] ?? '', dotted[3] ?? '')}:${hex(dotted[4] ?? '', dotted[5] ?? '')}`
    : address
  const [before = '', after] = plain.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [head, tail] = [groups(before), groups(after ?? '')]
  const zeros = after === undefined ? [] : Array<string>(8 - head.length - tail.length).fill('0')
  return [...head, ...zeros, ...tail].reduce((bits, part) => (bits << 16n) | BigInt(`0x${part}`), 0n)
}

/** Returns the first and the last address of a network in hexadecimal digits, 8 or 32 of them. */
export function hexBounds({ family, address, prefix }: Network): {
  readonly first: string
  readonly last: string
} {
  const width = family === 'ipv4' ? 32n : 128n
  const rest = (1n << (width - BigInt(prefix))) - 1n
  const bits = bitsOf(address, family)
  const hex = (value: bigint) => value.toString(16).padStart(Number(width) / 4, '0')
  return { first: hex(bits - (bits & rest)), last: hex(bits | rest) }
}
