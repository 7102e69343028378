import { parseConfig } from './config.ts'
import { sectionsOf } from './sections.ts'
import { readWords } from './words.ts'

/** Sections in which a line says how traffic goes, and nothing of the host. */
const trafficKinds = new Set(['defaults', 'frontend', 'backend', 'listen'])

/** Statements by which nobody comes to a file, a command or code of the host. All others are for superusers. */
const harmless = new Set(
  (
    'acl backlog balance bind capture compression cookie default-server default_backend disabled enabled fullconn grace hash-balance-factor hash-type http-check http-request ' +
    'http-response http-after-response http-reuse http-send-name-header log log-format log-tag maxconn mode monitor monitor-uri option persist rate-limit redirect ' +
    'retries retry-on server server-template source stick stick-table tcp-check tcp-request tcp-response timeout unique-id-format unique-id-header use-server use_backend ' +
    'frontend backend listen defaults description id'
  ).split(' '),
)

const powerful =
  /^-[fM]$|(?:^|[,[({])(?:map\w*|env|lua\.\S*)\(|lua\.|^(?:crt|crt-list|crt-base|ca-file|ca-verify-file|ca-sign-file|crl-file|file|lf-file|errorfile|errorfiles|external-check|tls-ticket-keys|lf-string|namespace|uid|gid|user|group)$|^(?:unix|abns|fd|sockpair|uxst)@|\$[{A-Za-z]/

/**
 * The lines of a new text that somebody who is no superuser may not bring: everything outside of traffic must stay as it is, and in it
 * only statements that touch no file, command or code of the host may be new. Pass the present text and the new one.
 */
export function powersGained(present: string, wanted: string): readonly string[] {
  const before = partsOf(present)
  const after = partsOf(wanted)
  if (before.host !== after.host) return ['global, userlist, resolvers, peers and other sections beside defaults, frontend, backend and listen']
  const known = new Set(before.traffic)
  return [...new Set(after.traffic)].filter((line) => !known.has(line) && isPowerful(line))
}

function partsOf(text: string): { readonly host: string; readonly traffic: readonly string[] } {
  const config = parseConfig(text)
  const sections = sectionsOf(config)
  const host = sections
    .filter(({ kind }) => !trafficKinds.has(kind))
    .flatMap(({ start, end }) => config.lines.slice(start, end).filter((line) => line.trim() !== ''))
  const before = config.lines.slice(0, sections[0]?.start ?? config.lines.length)
  const traffic = sections.filter(({ kind }) => trafficKinds.has(kind)).flatMap(({ start, end }) => config.lines.slice(start, end))
  return { host: host.join(''), traffic: [...before, ...traffic].map((line) => line.trim()) }
}

function isPowerful(line: string): boolean {
  const words = readWords(line)
  if (words.length === 0) return false
  if (!harmless.has(words[0]!.text)) return true
  // a path that is no path of a URL: servers and binds listen at, and reach, sockets of the host
  const isPlace = words[0]!.text === 'server' || words[0]!.text === 'bind' || words[0]!.text === 'log'
  return words.some(({ text, raw }, index) => powerful.test(text) || powerful.test(raw) || (isPlace && index > 0 && text.startsWith('/')))
}
