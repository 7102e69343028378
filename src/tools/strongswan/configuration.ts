import { espProposal, type Group, ikeProposal, type Protection } from './algorithms.ts'

/** A tunnel to another gateway. */
export interface Tunnel {
  readonly id: number
  /** Eight hexadecimal digits, others for each change: the running strongSwan tells by them what it has loaded. */
  readonly generation: string
  /** The address that this gateway calls itself by; not necessarily one that the host has. */
  readonly localAddress: string
  /** True if the host has the address, so that packets leave from it. */
  readonly isBound: boolean
  readonly remoteAddress: string
  readonly remoteId: string
  /** Null for the address of the gateway alone. */
  readonly localSubnet: string | null
  readonly remoteSubnet: string | null
  readonly version: 1 | 2
  /** In seconds. */
  readonly ikeLifetime: number
  /** The seconds after which a key is replaced. */
  readonly keyLifetime: number
  /** The seconds after which a key that was not replaced ends. */
  readonly tunnelLifetime: number
  readonly dpdDelay: number
  readonly dpdTimeout: number
  readonly ikeProtections: readonly Protection[]
  readonly espProtections: readonly Protection[]
  readonly group: Group
  readonly hasPfs: boolean
  readonly detectsReplay: boolean
  readonly secret: string
}

/** The name of a connection of the panel in strongSwan. */
export const connectionOf = (id: number): string => `hostreeve-${id}`

/** The name of what a connection carries, by which its generation is told. */
const childOf = ({ id, generation }: Pick<Tunnel, 'id' | 'generation'>): string =>
  `${connectionOf(id)}-${word(generation)}`

/** Returns the name of what the connection in a file carries. */
export const childIn = (text: string): string | undefined =>
  /^ {6}(hostreeve-\d+-[0-9a-f]{8}) \{$/m.exec(text)?.[1]

/** The file of a tunnel, which swanctl.conf includes. */
export const tunnelPath = (id: number): string => `/etc/swanctl/conf.d/${connectionOf(id)}.conf`

/**
 * Renders the file of a tunnel. The secret is in base64, which strongSwan decodes: any character may be in it.
 *
 * Packets are always wrapped in UDP (`encap`): two ports are then all that firewalls and routers between the gateways have to let through.
 */
export function renderTunnel(tunnel: Tunnel): string {
  const name = connectionOf(tunnel.id)
  const { group, hasPfs, ikeProtections, espProtections } = tunnel
  return `# Written by Hostreeve: edits are lost.
connections {
  ${name} {
    version = ${tunnel.version}
${tunnel.isBound ? `    local_addrs = ${word(tunnel.localAddress)}\n` : ''}    remote_addrs = ${word(tunnel.remoteAddress)}
    encap = yes
    mobike = no
    unique = replace
    keyingtries = 0
    proposals = ${ikeProtections.map((each) => ikeProposal(each, group)).join(',')}
    rekey_time = ${tunnel.ikeLifetime}s
    dpd_delay = ${tunnel.dpdDelay}s
    dpd_timeout = ${tunnel.dpdTimeout}s
    local {
      auth = psk
      id = ${quoted(tunnel.localAddress)}
    }
    remote {
      auth = psk
      id = ${quoted(tunnel.remoteId)}
    }
    children {
      ${childOf(tunnel)} {
        local_ts = ${word(tunnel.localSubnet ?? 'dynamic')}
        remote_ts = ${word(tunnel.remoteSubnet ?? 'dynamic')}
        esp_proposals = ${espProtections.map((each) => espProposal(each, hasPfs ? group : null)).join(',')}
        rekey_time = ${tunnel.keyLifetime}s
        rand_time = ${Math.floor(tunnel.keyLifetime / 10)}s
        life_time = ${tunnel.tunnelLifetime}s
        replay_window = ${tunnel.detectsReplay ? 32 : 0}
        start_action = start
        dpd_action = restart
      }
    }
  }
}
secrets {
  ike-${name} {
${idsOf(tunnel)
  .map((id, index) => `    id-${index} = ${quoted(id)}\n`)
  .join('')}    secret = 0s${Buffer.from(tunnel.secret, 'utf8').toString('base64')}
  }
}
`
}

/** IKEv1 looks a secret up by addresses, before identities are known. */
const idsOf = ({ localAddress, remoteAddress, remoteId }: Tunnel): readonly string[] => [
  ...new Set([localAddress, remoteId, remoteAddress]),
]

/** The text of a tunnel without its secret, as people may see it. */
export const withoutSecret = (text: string): string => text.replace(/^( +secret = ).*$/gm, '$1•••')

function word(value: string): string {
  if (!/^[\w.:/]+$/.test(value)) throw new Error('a value of a tunnel has an unexpected form')
  return value
}

/** A string in quotes ends at the next one, and has escapes after a backslash (strongswan.conf(5)). */
function quoted(value: string): string {
  if (!/^[\x20-\x7e]+$/.test(value)) throw new Error('an identity of a tunnel has an unexpected form')
  return `"${value.replace(/[\\"]/g, '\\$&')}"`
}
