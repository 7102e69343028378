import { parseConfig } from './config.ts'
import { outlineOf } from './outline.ts'
import { readTokens } from './tokens.ts'

/** Sections whose statements describe traffic, not the host. */
const trafficKinds = new Set(['defaults', 'frontend', 'backend', 'listen'])

/**
 * Statements that give no access to a file, a command or code of the host. All others are reserved for
 * superusers.
 */
const harmless = new Set(
  (
    'acl backlog balance bind capture compression cookie default-server default_backend disabled enabled fullconn grace hash-balance-factor hash-type http-check http-request ' +
    'http-response http-after-response http-reuse http-send-name-header log log-format log-tag maxconn mode monitor monitor-uri option persist rate-limit redirect ' +
    'retries retry-on server server-template source stick stick-table tcp-check tcp-request tcp-response timeout unique-id-format unique-id-header use-server use_backend ' +
    'frontend backend listen defaults description id'
  ).split(' '),
)

const powerful =
  /^-[fM]$|(?:^|[\s,[({])(?:map\w*|env|jwt_(?:verify|decrypt)\w*|lua\.\S*)\(|lua\.|^(?:add|del)-(?:acl|map)\(|^set-map\(|^(?:crt|crt-list|crt-base|ca-file|ca-verify-file|ca-sign-file|crl-file|file|lf-file|errorfile|errorfiles|external-check|tls-ticket-keys|lf-string|namespace|uid|gid|user|group)$|\$[{A-Za-z_]/

/** Statements that name an address to listen on or connect to: a path in them is a socket of the host. */
const addressed = new Set(['bind', 'server', 'server-template', 'default-server', 'log', 'source'])
const localSocket = /^(?:unix|abnsz?|fd|sockpair|uxst|uxdg)@/

/**
 * Returns the lines of a new text that a caller who is not a superuser may not add: everything outside the
 * traffic sections must stay unchanged, and inside them only statements that access no file, command or code
 * of the host may be new. Certificates in the panel's own directory may be named.
 */
export function powersGained(
  present: string,
  wanted: string,
  certificatesDirectory: string,
): readonly string[] {
  const before = partsOf(present)
  const after = partsOf(wanted)
  if (before.host !== after.host)
    return [
      'global, userlist, resolvers, peers and other sections except defaults, frontend, backend and listen',
    ]
  const known = new Set(before.traffic)
  const fresh = [...new Set(after.traffic)].filter((line) => !known.has(line))
  return fresh.filter((line) => isPowerful(withoutCertificates(line, certificatesDirectory)))
}

/**
 * Conditions, and lines under a condition, count as host lines: without its `.if`, a line may become
 * effective.
 */
function partsOf(text: string): { readonly host: string; readonly traffic: readonly string[] } {
  const config = parseConfig(text)
  const { sections, isConditional } = outlineOf(config)
  const isTraffic = config.lines.map((_line, at) => at < (sections[0]?.start ?? config.lines.length))
  for (const { kind, start, end } of sections) isTraffic.fill(trafficKinds.has(kind), start, end)
  const isHost = (line: string, at: number) => !isTraffic[at] || (isConditional(at) && isPowerful(line))
  return {
    host: config.lines.filter((line, at) => line.trim() !== '' && isHost(line, at)).join(''),
    traffic: config.lines.filter((line, at) => !isHost(line, at)).map((line) => line.trim()),
  }
}

function withoutCertificates(line: string, directory: string): string {
  const named = new RegExp(
    ` crt ${directory.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}/[a-z0-9][a-z0-9.-]*\\.pem(?=\\s|$)`,
    'g',
  )
  return line.replaceAll(named, '')
}

function isPowerful(line: string): boolean {
  const tokens = readTokens(line)
  if (tokens.length === 0) return false
  const keyword = tokens[0]!.text
  if (!harmless.has(keyword)) return true
  return tokens.some(({ text, raw }, at) => {
    const mayBePath = at > 0 && (addressed.has(keyword) || tokens[at - 1]!.text === 'addr')
    const addresses = text.split(',') // one bind may list several addresses
    return (
      powerful.test(text) ||
      powerful.test(raw) ||
      addresses.some((address) => localSocket.test(address) || (mayBePath && address.startsWith('/')))
    )
  })
}
