import { isAddress, isV4 } from '../../../host/fetch/index.ts'
import { ReplicationInvalid } from '../problems.ts'
import type { ReplicationDraft } from './model.ts'

/** The replication of this server, checked: what its role does not use is empty. */
export type ReplicationSettings = Required<ReplicationDraft>

/** Checks a request. */
export function settingsOf(draft: ReplicationDraft): ReplicationSettings {
  const { role, allow_axfr_ips = [], also_notify = [], master_ip = '' } = draft
  const { autosecondary = false, nameserver = '' } = draft
  const none = { allow_axfr_ips: [], also_notify: [], master_ip: '', autosecondary: false, nameserver: '' }
  for (const [at, network] of allow_axfr_ips.entries()) assertNetwork(network, `allow_axfr_ips[${at}]`)
  for (const [at, address] of also_notify.entries()) assertAddress(address, `also_notify[${at}]`)
  if (role === 'master') return { ...none, role, allow_axfr_ips, also_notify }
  if (role === 'native') return { ...none, role }
  if (master_ip === '') throw ReplicationInvalid('master_ip: a slave needs the address of its master')
  assertAddress(master_ip, 'master_ip')
  if (!autosecondary) return { ...none, role, master_ip }
  if (!/^(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+\.?$/i.test(nameserver))
    throw ReplicationInvalid(
      'nameserver: autosecondary needs the host name of this server among the NS of the zones',
    )
  return { ...none, role, master_ip, autosecondary, nameserver: nameserver.toLowerCase().replace(/\.$/, '') }
}

const always = ['127.0.0.0/8', '::1']

/** Returns the settings of PowerDNS for a role. */
export function directivesOf(settings: ReplicationSettings): readonly (readonly [string, string])[] {
  const { role, allow_axfr_ips: allowed, also_notify: notified, autosecondary } = settings
  if (role === 'native') return []
  if (role === 'slave')
    return [
      ['secondary', 'yes'],
      ['autosecondary', autosecondary ? 'yes' : 'no'],
    ]
  return [
    ['primary', 'yes'],
    // how often PowerDNS looks for changes to announce; its default is a minute
    ['xfr-cycle-interval', '10'],
    ['allow-axfr-ips', [...always, ...allowed].join(',')],
    ...(notified.length === 0 ? [] : [['also-notify', notified.join(',')] as const]),
  ]
}

/** Returns an address without its port. */
export const hostOf = (address: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ??
  (isAddress(address) ? address : address.replace(/:\d+$/, ''))

function assertAddress(address: string, field: string): void {
  if (!isServerAddress(address))
    throw ReplicationInvalid(`${field}: must be an IP address, such as 192.0.2.1 or 192.0.2.1:5300`)
}

/** True if a text is an IP address, with a port or without one. */
export function isServerAddress(address: string): boolean {
  const port = /^(?:\[[^\]]+\]|[\d.]+):(\d{1,5})$/.exec(address)?.[1]
  const isPortValid = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535)
  const host = hostOf(address)
  return isAddress(host) && !host.includes('%') && isPortValid
}

function assertNetwork(network: string, field: string): void {
  const [address = '', length, ...more] = network.split('/')
  const isLengthValid =
    length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (isV4(address) ? 32 : 128))
  if (!isAddress(address) || address.includes('%') || !isLengthValid || more.length > 0)
    throw ReplicationInvalid(`${field}: must be an address or a network, such as 192.0.2.0/24`)
}
