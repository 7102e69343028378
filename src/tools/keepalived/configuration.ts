/** A virtual address that moves between hosts by VRRP. */
export interface VirtualAddress {
  /** IPv4 with its prefix, such as `192.0.2.100/24`. */
  readonly address: string
  readonly interface: string
  /** The own address on the interface. */
  readonly source: string
  /** From 1 to 254; the host with the greater one has the address. */
  readonly priority: number
  readonly state: 'MASTER' | 'BACKUP'
  /** The number of the group in its network; the same on each host. */
  readonly routerId: number
  /** The other host; null for those that multicast reaches. */
  readonly peer: string | null
  /** Empty for none; keepalived uses eight characters. */
  readonly password: string
}

const header = '# Written by Hostreeve. Changes by hand are lost with the next setup.'

/** True if the panel wrote this configuration. */
export const isOwn = (content: string): boolean => content.startsWith(header)

/**
 * Renders the configuration. The values are checked before, as the format has no quoting.
 *
 * A host whose port of ProxySQL takes no connection gives the address away (keepalived.conf(5), vrrp_script). The script is of root,
 * as keepalived 2.2.7 ends itself with SIGTERM when it tests a configuration with another user.
 */
export function renderConfiguration({ address, source, peer, password, ...rest }: VirtualAddress): string {
  for (const value of [address, rest.interface, source, peer ?? '', password])
    if (!/^[\w.:/@+=-]*$/.test(value)) throw new Error('a value of keepalived has an unexpected form')
  const authentication =
    password === ''
      ? ''
      : `
  authentication {
    auth_type PASS
    auth_pass ${password}
  }`
  const unicast =
    peer === null
      ? ''
      : `
  unicast_src_ip ${source}
  unicast_peer {
    ${peer}
  }`
  return `${header}
global_defs {
  enable_script_security
  script_user root
}

vrrp_script proxysql {
  script "/bin/bash -c '</dev/tcp/127.0.0.1/6033'"
  interval 2
  timeout 2
  fall 2
  rise 1
}

vrrp_instance hostreeve {
  state ${rest.state}
  interface ${rest.interface}
  virtual_router_id ${rest.routerId}
  priority ${rest.priority}
  advert_int 1${unicast}${authentication}
  virtual_ipaddress {
    ${address}
  }
  track_script {
    proxysql
  }
}
`
}

/** Reads the values of a configuration that the panel wrote. */
export function readConfiguration(content: string): VirtualAddress {
  const valueOf = (name: string) => new RegExp(`^ +${name} (\\S+)$`, 'm').exec(content)?.[1]
  const blockOf = (name: string) => new RegExp(`^ +${name} \\{\\n +(\\S+)$`, 'm').exec(content)?.[1]
  return {
    address: blockOf('virtual_ipaddress') ?? '',
    interface: valueOf('interface') ?? '',
    source: valueOf('unicast_src_ip') ?? '',
    priority: Number(valueOf('priority') ?? 100),
    state: valueOf('state') === 'MASTER' ? 'MASTER' : 'BACKUP',
    routerId: Number(valueOf('virtual_router_id') ?? 0),
    peer: blockOf('unicast_peer') ?? null,
    password: valueOf('auth_pass') ?? '',
  }
}
