import { type Change, change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { isAddress, isV4 } from '../../host/fetch/index.ts'
import { hexBounds, isWithin } from '../../host/networks.ts'
import type { VirtualAddress } from '../../tools/keepalived/index.ts'
import { type Sqlproxy, work } from './context.ts'
import { addressLock } from './locks.ts'
import { KeepalivedSet, KeepalivedSetup, type KeepalivedStatus } from './model.ts'
import { AddressInvalid } from './problems.ts'

/** Sets up a virtual address: installs keepalived where it is missing, and starts it with its configuration. */
export const settingUp = work({
  kind: 'sqlproxy.keepalived',
  input: KeepalivedSetup,
  reply: KeepalivedSet,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input, sqlproxy: { keepalived, programSteps } }) => {
    const virtual = virtualOf(input, await keepalived.listAddresses(), await keepalived.readConfiguration())
    const { present } = await keepalived.detect()
    const { packages = [] } = keepalived.installation ?? {}
    const { steps } = keepalived
    return change({
      summary: `Set up the virtual address ${virtual.address}`,
      locks: [addressLock],
      steps: [
        ...(present ? [] : [step(programSteps.installPackages, { packages, dataDirectories: [] })]),
        step(steps.writeConfiguration, { virtual }),
        step(steps.switchProgram, { verb: 'enable' }),
        step(steps.switchProgram, { verb: 'restart' }),
      ],
      details: ['The firewall of each host must admit protocol 112 (VRRP) from the other'],
      reply: { success: true, message: `keepalived runs with ${virtual.address} on ${virtual.interface}` },
    })
  },
})

const isIPv4 = (text: string): boolean => isAddress(text) && isV4(text)

/** True for an IPv4 address that a host can have: neither of no network, nor of loopback, nor multicast or reserved. */
const isHostAddress = (text: string): boolean =>
  isIPv4(text) && !isWithin(text, ['0.0.0.0/8', '127.0.0.0/8', '224.0.0.0/3'])

/** True for the first and the last address of a network. Those of two addresses or one have neither. */
function isReserved(ip: string, { address, prefix }: { readonly address: string; readonly prefix: number }) {
  const bounds = hexBounds({ family: 'ipv4', address, prefix })
  const { first } = hexBounds({ family: 'ipv4', address: ip, prefix: 32 })
  return prefix < 31 && Object.values(bounds).includes(first)
}

type Addresses = Awaited<ReturnType<Sqlproxy['keepalived']['listAddresses']>>
type Former = Awaited<ReturnType<Sqlproxy['keepalived']['readConfiguration']>>

/** Checks a request against the networks of this host. */
export function virtualOf(
  { virtual_ip, priority, state, peer_ip: peer, auth_pass }: KeepalivedSetup,
  addresses: Addresses,
  former: Former,
): VirtualAddress {
  const [ip = '', length] = virtual_ip.split('/')
  if (!isIPv4(ip)) throw AddressInvalid(`virtual_ip: ${ip} is no IPv4 address`)
  const own = addresses.filter(({ address }) => address !== former?.address.split('/')[0])
  if (own.some(({ address }) => address === ip))
    throw AddressInvalid(`virtual_ip: ${ip} is an address of this host itself: take a free one`)
  const network = own.find(
    ({ address, prefix, interface: name }) => name !== 'lo' && isWithin(ip, [`${address}/${prefix}`]),
  )
  if (network === undefined) {
    const known = own.filter(({ interface: name }) => name !== 'lo')
    const list = known.map(({ address, prefix }) => `${address}/${prefix}`).join(', ') || 'none'
    throw AddressInvalid(`virtual_ip: ${ip} is in no network of this host. Its addresses: ${list}`)
  }
  const prefix = length === undefined ? network.prefix : Number(length)
  // a shorter one would route foreign networks to this interface
  if (prefix < network.prefix || prefix > 32)
    throw AddressInvalid(`virtual_ip: the prefix must be from ${network.prefix} to 32`)
  if (isReserved(ip, network))
    throw AddressInvalid(
      `virtual_ip: ${ip} is the network or broadcast address of ${network.address}/${network.prefix}: take another`,
    )
  if (
    peer !== undefined &&
    (!isHostAddress(peer) || own.some(({ address }) => address === peer) || peer === ip)
  )
    throw AddressInvalid('peer_ip: must be the IPv4 address of the other host')
  return {
    ...{ address: `${ip}/${prefix}`, interface: network.interface, source: network.address },
    ...{ priority, state, peer: peer ?? null, password: auth_pass ?? former?.password ?? '' },
    routerId: Number(ip.split('.')[3]) || 255, // the same on both hosts, as the address is
  }
}

/** Reads the virtual address and which part this host has in it. */
export async function readKeepalived({ keepalived, tool }: Sqlproxy): Promise<KeepalivedStatus> {
  const { present } = await keepalived.detect()
  const running = present && (await keepalived.isRunning())
  const set = await keepalived.readConfiguration()
  const held = (await keepalived.listAddresses()).some(
    ({ address }) => address === set?.address.split('/')[0],
  )
  const isProxyUp = (await tool.detect()).present && (await tool.isRunning())
  const live = held ? 'MASTER' : isProxyUp ? 'BACKUP' : 'FAULT'
  return {
    installed: present,
    running,
    configured: set !== undefined,
    vrrp_state: running && set !== undefined ? live : 'STOPPED',
    virtual_ip: set?.address ?? null,
    interface: set?.interface ?? null,
    priority: set?.priority ?? null,
    state: set?.state ?? null,
    peer_ip: set?.peer ?? null,
    has_auth_pass: (set?.password ?? '') !== '',
  }
}

/** Stops keepalived and removes its configuration: this host gives the virtual address away. */
export async function disableKeepalived({ keepalived }: Sqlproxy): Promise<Change<{ success: true }>> {
  const { steps } = keepalived
  const { present } = await keepalived.detect()
  return change({
    summary: 'Remove the virtual address',
    locks: [addressLock],
    steps: [
      step(steps.writeConfiguration, { virtual: null }), // first: it refuses, before anything is stopped
      ...(present
        ? [
            step(steps.switchProgram, { verb: 'stop' as const }),
            step(steps.switchProgram, { verb: 'disable' as const }),
          ]
        : []),
    ],
    reply: success,
  })
}
