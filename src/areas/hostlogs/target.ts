import { X509Certificate } from 'node:crypto'
import { BadRequest } from '../../core/problem.ts'
import { hostnameFromTyped } from '../../core/typed-hostname.ts'
import { isAddress } from '../../host/fetch/index.ts'
import type { Target } from '../../tools/log-forwarding/index.ts'
import type { RemoteLoggingDraft } from './model.ts'

type Draft = Omit<RemoteLoggingDraft, 'enabled'>

/** A target as a row stores it. */
interface StoredTarget {
  readonly server: string
  readonly port: number
  readonly protocol: string
  readonly ca: string
}

const defaultPorts = { tcp: 514, tls: 6514 }

/** Returns the target that a draft makes of the stored one; throws BadRequest for one that rsyslog could not reach. */
export function targetOf(stored: StoredTarget, draft: Draft, isUsed: boolean): Target {
  const protocol = draft.protocol ?? (stored.protocol === 'tls' ? 'tls' : 'tcp')
  const isNew = stored.server === '' || protocol !== stored.protocol
  const port = draft.port ?? (isNew ? defaultPorts[protocol] : stored.port)
  const typed = (draft.server ?? stored.server).toLowerCase()
  const server = /^[0-9.]+$/.test(typed) ? typed : hostnameFromTyped(typed) // which completes 1.2.3 to an address
  const ca = draft.ca ?? stored.ca
  if (server !== '') assertServer(server, protocol)
  else if (isUsed) throw BadRequest('server: is required, such as logs.example.com')
  if (ca.trim() !== '') assertCertificates(ca)
  return { server, port, protocol, ca: ca.trim() }
}

/** The unspecified address in any notation, also of IPv4 in IPv6, and the addresses of groups: none of them is one server. */
const nobody =
  /^(?:[0:]+|(?:[0:]+:)?(?:ffff:)?0+\.0+\.0+\.0+|(?:[0:]+:ffff:)?(?:22[4-9]|23\d|255)\..*|ff[0-9a-f]{2}:.*|[0:]+:ffff:0+:0+)$/
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

function assertServer(server: string, protocol: Target['protocol']): void {
  const isNumber = isAddress(server)
  const isNobody = isNumber && nobody.test(server)
  const isName = !isNumber && server.split('.').every((part) => label.test(part)) && !/^[0-9.]+$/.test(server)
  if (isNobody || (!isNumber && !isName))
    throw BadRequest(
      'server: must be a host name or the address of one server, such as logs.example.com or 192.0.2.10',
    )
  if (protocol === 'tls' && isNumber)
    throw BadRequest('server: must be a host name with tls, as the certificate of the server names it')
}

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

function assertCertificates(text: string): void {
  const blocks = text.match(block) ?? []
  try {
    for (const each of blocks) void new X509Certificate(each)
  } catch {
    throw BadRequest('ca: one of the certificates cannot be read: paste them in PEM as they are')
  }
  if (blocks.length === 0 || text.replaceAll(block, '').trim() !== '')
    throw BadRequest(
      'ca: must be certificates in PEM, each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----, and nothing else',
    )
}
