import { hexBounds, hasHostBits, type Network, parseNetwork } from '../../host/networks.ts'
import type { OwnNetwork } from '../../tools/strongswan/index.ts'
import { anyNetwork, type StoredTunnel } from './model.ts'
import { TunnelInvalid, TunnelTaken } from './problems.ts'

/** What is checked of a tunnel. */
export type Checked = Omit<StoredTunnel, 'id' | 'enabled' | 'created_at'>

const units = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
])

/** Returns the seconds of a lifetime such as `8h`. */
export const secondsOf = (lifetime: string): number =>
  Number(lifetime.slice(0, -1)) * (units.get(lifetime.slice(-1)) ?? 0)

/** Returns a subnet; undefined for all addresses. */
export const subnetOf = (subnet: string): Network | undefined =>
  subnet === anyNetwork ? undefined : parseNetwork(subnet)

/** Throws unless the fields of a tunnel are right by themselves. */
export function assertValid(tunnel: Checked): void {
  assertGateway(tunnel.remote_ip, 'remote_ip')
  assertGateway(tunnel.local_ip, 'local_ip')
  if (tunnel.local_ip === tunnel.remote_ip)
    throw TunnelInvalid('remote_ip: must be the address of the other gateway, not of this one')
  if (parseNetwork(tunnel.local_ip)?.family !== parseNetwork(tunnel.remote_ip)?.family)
    throw TunnelInvalid('local_ip: must be of the same family as remote_ip')
  if (
    !/^[\x20-\x24\x26-\x29\x2b-\x7e]*$/.test(tunnel.remote_id) ||
    tunnel.remote_id.trim() !== tunnel.remote_id
  )
    throw TunnelInvalid(
      'remote_id: must be an address, a host name or an e-mail address in ASCII, without %, * and spaces around it',
    )
  if (isOfSeveral(tunnel.remote_id))
    throw TunnelInvalid(
      `remote_id: ${tunnel.remote_id} stands for several gateways: give what this one calls itself, such as 192.0.2.1`,
    )
  assertSubnet(tunnel.local_subnet, 'local_subnet')
  assertSubnet(tunnel.remote_subnet, 'remote_subnet')
  if (tunnel.remote_subnet === anyNetwork && tunnel.local_subnet !== anyNetwork)
    throw TunnelInvalid(
      `remote_subnet: must be the network of the other side: a route to ${anyNetwork} would take the packets of this host too, and cut off its administrators`,
    )
  assertLifetimes(tunnel)
  assertCiphers(tunnel)
}

/**
 * True for an identity that strongSwan matches with others: every one, a network or a range of addresses, or one whose
 * type is written before it. The secret of the tunnel would then be that of other gateways too.
 */
const isOfSeveral = (id: string): boolean =>
  /^(?:0\.0\.0\.0$|::$|0::0$|\{|ipv[46](?:net|range)?:)/i.test(id) ||
  (/[/-]/.test(id) && id.split('-').every((part) => parseNetwork(part) !== undefined))

function assertGateway(text: string, field: string): void {
  const network = parseNetwork(text)
  if (network === undefined || text !== network.address)
    throw TunnelInvalid(`${field}: ${text} is not an IP address such as 192.0.2.1`)
  if (/^(?:127\.|0\.|169\.254\.|2(?:2[4-9]|[3-5]\d)\.|::1?$|ff|fe[89ab])/i.test(network.address))
    throw TunnelInvalid(`${field}: ${text} is not the address of a gateway`)
}

function assertSubnet(text: string, field: string): void {
  if (text === anyNetwork) return
  const network = parseNetwork(text)
  if (network === undefined || network.family !== 'ipv4' || !text.includes('/'))
    throw TunnelInvalid(`${field}: ${text} is not an IPv4 network such as 10.1.0.0/16`)
  if (hasHostBits(network))
    throw TunnelInvalid(`${field}: ${text} has bits after its prefix: use the first address of the network`)
  if (network.prefix < 8)
    throw TunnelInvalid(`${field}: ${text} is too large: a tunnel takes networks from /8 to /32`)
  if (/^(?:0|127|22[4-9]|2[3-5]\d)\./.test(network.address) || text.startsWith('169.254.'))
    throw TunnelInvalid(`${field}: ${text} is no network that can be reached through a tunnel`)
}

const ranges = [
  ['ike_lifetime', '5m', '7d'],
  ['tunnel_lifetime', '5m', '7d'],
  ['key_lifetime', '2m', '7d'],
  ['dpd_delay', '5s', '1h'],
  ['dpd_timeout', '10s', '2h'],
] as const

function assertLifetimes(tunnel: Checked): void {
  for (const [field, least, most] of ranges) {
    const seconds = secondsOf(tunnel[field])
    if (seconds < secondsOf(least) || seconds > secondsOf(most))
      throw TunnelInvalid(`${field}: must be from ${least} to ${most}`)
  }
  if (secondsOf(tunnel.key_lifetime) >= secondsOf(tunnel.tunnel_lifetime))
    throw TunnelInvalid(
      'key_lifetime: must be shorter than tunnel_lifetime: a key is replaced before it ends',
    )
  if (secondsOf(tunnel.dpd_timeout) <= secondsOf(tunnel.dpd_delay))
    throw TunnelInvalid('dpd_timeout: must be longer than dpd_delay')
}

/** IKEv1 has no numbers for ciphers that authenticate themselves, but for AES-GCM in packets (RFC 4106). */
function assertCiphers({ ike_version, phase1_proposals, phase2_proposals }: Checked): void {
  if (ike_version !== 1) return
  const own = phase1_proposals.find(({ enc }) => /gcm|chacha/.test(enc))
  if (own !== undefined) throw TunnelInvalid(`phase1_proposals: ${own.enc} needs ike_version 2`)
  const packets = phase2_proposals.find(({ enc }) => enc.startsWith('chacha'))
  if (packets !== undefined) throw TunnelInvalid(`phase2_proposals: ${packets.enc} needs ike_version 2`)
}

/** Throws if a tunnel would take packets of networks that are this host's own, or another tunnel's. */
export function assertRoutable(
  tunnel: Checked,
  { own, others }: { readonly own: readonly OwnNetwork[]; readonly others: readonly Checked[] },
): void {
  const same = others.find(({ name }) => name === tunnel.name)
  if (same !== undefined) throw TunnelTaken(`name: there is a tunnel ${tunnel.name}`)
  const twin = others.find(
    (each) =>
      each.local_ip === tunnel.local_ip &&
      each.remote_ip === tunnel.remote_ip &&
      identityOf(each) === identityOf(tunnel),
  )
  if (twin !== undefined)
    throw TunnelTaken(
      `remote_ip: the tunnel ${twin.name} goes to ${tunnel.remote_ip} already, and a gateway has one tunnel`,
    )
  if (own.some(({ address }) => address === tunnel.remote_ip))
    throw TunnelInvalid(`remote_ip: ${tunnel.remote_ip} is an address of this host itself`)
  const remote = subnetOf(tunnel.remote_subnet)
  if (remote === undefined) return
  const local = subnetOf(tunnel.local_subnet)
  if (local !== undefined && doOverlap(remote, local))
    throw TunnelInvalid(
      `remote_subnet: ${tunnel.remote_subnet} overlaps local_subnet ${tunnel.local_subnet}: the two sides need different networks`,
    )
  const met = own.find(({ address, prefix }) => {
    const network = parseNetwork(`${address}/${prefix}`)
    return network !== undefined && doOverlap(remote, network)
  })
  if (met !== undefined)
    throw TunnelInvalid(
      `remote_subnet: ${tunnel.remote_subnet} overlaps ${met.address}/${met.prefix} of ${met.interface} on this host, which would lose that network`,
    )
  const gateway = parseNetwork(tunnel.remote_ip)
  if (gateway !== undefined && remote.prefix < 32 && doOverlap(remote, gateway))
    throw TunnelInvalid(
      `remote_subnet: ${tunnel.remote_subnet} contains ${tunnel.remote_ip}: the gateway would be reached through its own tunnel`,
    )
  const rival = others.find(({ remote_subnet }) => {
    const network = subnetOf(remote_subnet)
    return network !== undefined && doOverlap(remote, network)
  })
  if (rival !== undefined)
    throw TunnelTaken(
      `remote_subnet: ${tunnel.remote_subnet} overlaps ${rival.remote_subnet} of the tunnel ${rival.name}`,
    )
}

const identityOf = ({ remote_id, remote_ip }: Checked): string => remote_id || remote_ip

function doOverlap(one: Network, other: Network): boolean {
  if (one.family !== other.family) return false
  const [first, second] = [hexBounds(one), hexBounds(other)]
  return first.first <= second.last && second.first <= first.last
}
