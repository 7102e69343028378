import { canonicalAddress, hasHostBits, isWithin, type Network, parseNetwork } from '../../host/networks.ts'
import { subnetV6, widestSubnet } from '../../tools/headscale/index.ts'
import { AddressInvalid, NetworkInvalid, SettingsInvalid } from './problems.ts'

/** Addresses that tailscale keeps for itself. */
const reserved = ['100.100.0.0/24', '100.100.100.0/24', '100.115.92.0/23']
const smallestPrefix = 28
/** Addresses of each host itself, of one link, and of several hosts. */
const unroutable = [
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/3',
  '::/127',
  'fe80::/10',
  'ff00::/8',
]

/** Reads a network of a request, or fails with what would be right; `field` begins the message. */
export function readNetwork(text: string, field: string): Network {
  const network = parseNetwork(text)
  if (network === undefined) throw NetworkInvalid(`${field}: ${text} is not a network such as 192.0.2.0/24`)
  if (hasHostBits(network))
    throw NetworkInvalid(
      `${field}: ${text} has bits after its prefix: ${firstOf(network)}/${network.prefix} is the network, or ${network.address}/${widthOf(network)} the address alone`,
    )
  return network
}

/** Reads a network that a node offers; the default route is that of an exit node. */
export function readRoute(text: string, field: string): string {
  const network = readNetwork(text, field)
  if (network.prefix === 0)
    throw NetworkInvalid(`${field}: ${text} is the whole internet: set exit_node for it`)
  if (isWithin(network.address, unroutable))
    throw NetworkInvalid(`${field}: ${text} is not a network that is reached through a node`)
  return `${canonicalAddress(network.address)}/${network.prefix}`
}

/** Throws unless a text is an address at which a DNS server can be. */
export function assertNameserver(text: string, field: string): void {
  if (parseNetwork(text) === undefined || isWithin(text, ['0.0.0.0/8', '224.0.0.0/3', '::/128', 'ff00::/8']))
    throw SettingsInvalid(`${field}: ${text} is not the address of a DNS server, such as 9.9.9.9`)
}

/** Reads the network of which nodes get addresses. */
export function readSubnet(text: string): string {
  const network = readNetwork(text, 'subnet')
  if (network.family !== 'ipv4' || network.prefix < 10 || !isWithin(network.address, [widestSubnet]))
    throw NetworkInvalid(
      `subnet: ${text} must lie within ${widestSubnet}, as tailscale accepts no other addresses`,
    )
  if (network.prefix > smallestPrefix)
    throw NetworkInvalid(`subnet: ${text} is too small: its prefix must be at most /${smallestPrefix}`)
  const kept = reserved.find(
    (range) => isWithin(network.address, [range]) && network.prefix >= Number(range.split('/')[1]),
  )
  if (kept !== undefined)
    throw NetworkInvalid(`subnet: ${text} must not be within ${kept}, which tailscale keeps for itself`)
  return `${network.address}/${network.prefix}`
}

/** Reads the address that a node gets, and says of which family it is. */
export function readNodeAddress(
  text: string,
  { subnet, taken }: { readonly subnet: string; readonly taken: ReadonlySet<string> },
): { readonly family: 'ipv4' | 'ipv6'; readonly address: string } {
  const parsed = parseNetwork(text)
  if (parsed === undefined) throw AddressInvalid(`ip: ${text} is not an address such as 100.64.0.7`)
  const { family } = parsed
  const range = family === 'ipv4' ? subnet : subnetV6
  const address = canonicalAddress(parsed.address)
  if (!isWithin(address, [range]))
    throw AddressInvalid(`ip: ${text} must be in ${range}, the network of the mesh`)
  if (family === 'ipv4' && isKept(address, subnet))
    throw AddressInvalid(`ip: ${text} is the first or last address of ${subnet}, or kept by tailscale`)
  if (taken.has(address)) throw AddressInvalid(`ip: another node has ${address}`)
  return { family, address }
}

/** Returns an address for each node in another network: with the same last bits where that one is free. */
export function renumbered(
  nodes: readonly { readonly id: number; readonly ipv4: string }[],
  subnet: string,
): ReadonlyMap<number, string> {
  const [first = '', bits = '0'] = subnet.split('/')
  const size = 2 ** (32 - Number(bits))
  const base = numberOf(first)
  const used = new Set<string>()
  const chosen = new Map<number, string>()
  for (const { id, ipv4 } of nodes) {
    const free = (offset: number) => {
      const address = textOf(base + (offset % size))
      return isKept(address, subnet) || used.has(address) ? undefined : address
    }
    let address = free(numberOf(ipv4))
    for (let offset = 1; address === undefined && offset < size; offset++) address = free(offset)
    if (address === undefined)
      throw NetworkInvalid(`subnet: ${subnet} has fewer addresses than the mesh has nodes (${nodes.length})`)
    used.add(address)
    chosen.set(id, address)
  }
  return chosen
}

function isKept(address: string, subnet: string): boolean {
  const [first = '', bits = '0'] = subnet.split('/')
  const base = numberOf(first)
  const at = numberOf(address)
  return at === base || at === base + 2 ** (32 - Number(bits)) - 1 || isWithin(address, reserved)
}

const numberOf = (address: string): number =>
  address.split('.').reduce((number, part) => number * 256 + Number(part), 0)
const textOf = (number: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.')
const widthOf = ({ family }: Network): number => (family === 'ipv4' ? 32 : 128)

function firstOf({ family, address, prefix }: Network): string {
  if (family === 'ipv4') {
    const size = 2 ** (32 - prefix)
    return textOf(Math.floor(numberOf(address) / size) * size)
  }
  const groups = expanded(address)
  const masked = groups.map((group, at) => {
    const kept = Math.min(16, Math.max(0, prefix - at * 16))
    return group & (0xffff << (16 - kept)) & 0xffff
  })
  return canonicalAddress(masked.map((group) => group.toString(16)).join(':'))
}

function expanded(address: string): readonly number[] {
  const [before = '', after] = canonicalAddress(address).split('::')
  const groups = (part: string) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16))
  const [head, tail] = [groups(before), groups(after ?? '')]
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}
