import { isAddress } from '../../host/fetch/index.ts'
import { hasHostBits, parseNetwork, textOf } from '../../host/networks.ts'
import type { CertificateFiles, SourceSettings } from '../../tools/rsyslog/index.ts'
import { SourceInvalid } from './problems.ts'
import type { SourceRow } from './store.ts'

const replicaPort = 514

interface Surroundings {
  readonly certificate: CertificateFiles
  /** None for the node of this host. */
  readonly nodes: readonly string[]
}

/** Reads a source as rsyslog gets it; refuses addresses that are none. */
export function settingsOf(row: SourceRow, { certificate, nodes }: Surroundings): SourceSettings {
  const isLocal = row.type === 'local'
  const { protocol, port } = row
  const listens = protocol === 'tls' ? { protocol, port, certificate } : { protocol, port }
  return {
    id: row.id,
    name: row.name,
    listens: isLocal ? null : listens,
    includesLocal: isLocal || row.include_local === 1,
    allowed: isLocal ? [] : readAllowed(row.allowed_ips),
    replicateTo: row.replicate_to === '' ? null : readReplica(row.replicate_to),
    ...(nodes.length > 0 && { nodes }),
  }
}

function readAllowed(text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '').map(readNetwork)
}

function readNetwork(part: string): string {
  const network = parseNetwork(part)
  const expected = 'use addresses and IPv4 networks such as 192.0.2.7, 198.51.100.0/24'
  if (network === undefined) throw SourceInvalid(`allowed_ips: ${part} is not an address: ${expected}`)
  if (hasHostBits(network))
    throw SourceInvalid(`allowed_ips: ${part} has bits set after its prefix: ${expected}`)
  if (network.family === 'ipv6' && network.prefix < 128)
    throw SourceInvalid(`allowed_ips: ${part}: rsyslog cannot compare IPv6 networks: list single addresses`)
  return textOf(network)
}

/** Reads `host`, `host:port`, `[IPv6]` or `[IPv6]:port`. */
function readReplica(text: string): SourceSettings['replicateTo'] {
  const [, bracketed, plain, digits] =
    /^(?:\[([0-9A-Fa-f:.]{2,45})\]|([^:[\]\s]{1,253}))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = bracketed ?? plain ?? ''
  const port = digits === undefined ? replicaPort : Number(digits)
  const isHost =
    bracketed === undefined
      ? isAddress(host) || /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(host)
      : isAddress(host)
  if (!isHost || port < 1 || port > 65_535)
    throw SourceInvalid(
      `replicate_to: ${text} must be a host name or address, perhaps with a port: logs.example.com:514`,
    )
  return { host, port }
}
