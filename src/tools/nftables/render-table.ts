import { createHash } from 'node:crypto'
import { parseNetwork, textOf, withoutNested } from '../../host/networks.ts'
import { admittedMark, type NftRule, type OpenPort, ownTable, type TableDraft } from './rule.ts'

/** Without these, hosts do not find each other, and connections hang (RFC 4890, RFC 1191). */
const icmp = 'destination-unreachable, time-exceeded, parameter-problem'
const icmpv6 =
  'destination-unreachable, packet-too-big, time-exceeded, parameter-problem, nd-router-solicit, nd-router-advert, nd-neighbor-solicit, nd-neighbor-advert, mld-listener-query'

/** Renders the table as a file that replaces it in one transaction; it ends with the digest of its rules. */
export function renderTable(draft: TableDraft): string {
  const { rules, always, open, otherFirewall } = draft
  const isGuest = otherFirewall !== undefined
  const accept = isGuest ? admissions[otherFirewall] : 'accept'
  const sets = rules.flatMap(setsOf)
  const body = [
    'ct state established,related accept',
    `icmp type { ${icmp} } accept`,
    `icmpv6 type { ${icmpv6} } accept`,
    'ip6 saddr fe80::/10 udp dport 546 accept', // answers of DHCPv6 are not related to a multicast request
    ...portsLine('tcp', always, { accept, comment: 'panel' }),
    ...rules.flatMap((rule) => linesOf(rule, accept)),
    'icmp type echo-request accept', // here, so that a rule may deny or limit it
    'icmpv6 type echo-request accept',
    ...portsLine('tcp', portsOf(open, 'tcp'), { accept, comment: 'opened tcp' }),
    ...portsLine('udp', portsOf(open, 'udp'), { accept, comment: 'opened udp' }),
    ...sourceLines(open, accept),
    `counter comment "${isGuest ? 'passed on' : 'denied'}"`,
  ]
  const digest = createHash('sha256')
    .update(JSON.stringify([sets, body]))
    .digest('hex')
  return `# Written by Hostreeve from its rules: edits are lost.
add table inet ${ownTable}
delete table inet ${ownTable}
table inet ${ownTable} {
${sets.map((set) => `\t${set}\n`).join('')}\tchain input {
\t\ttype filter hook input priority ${isGuest ? 'filter - 5; policy accept' : 'filter; policy drop'};
\t\tiifname "lo" accept comment "hostreeve ${digest}"
${body.map((line) => `\t\t${line}\n`).join('')}\t}
}
`
}

/** firewalld compares whole marks, ufw one bit. */
const admissions = {
  ufw: `meta mark set meta mark or ${admittedMark} accept`,
  firewalld: `meta mark set ${admittedMark} accept`,
} as const

/** Returns the digest in the text of a table, rendered or listed; undefined for a table of another author. */
export const digestIn = (text: string): string | undefined =>
  /^\s*iifname "lo" accept comment "hostreeve ([0-9a-f]{64})"$/m.exec(text)?.[1]

const portsOf = (open: readonly OpenPort[], protocol: OpenPort['protocol']): readonly number[] =>
  open.filter((each) => each.protocol === protocol && each.sources === undefined).map(({ port }) => port)

interface Opening {
  /** What admits a packet. */
  readonly accept: string
  readonly comment: string
}

function portsLine(
  protocol: 'tcp' | 'udp',
  ports: readonly number[],
  { accept, comment }: Opening,
): readonly string[] {
  if (ports.length === 0) return []
  return [`${protocol} dport ${portSet(ports.map(String))} counter ${accept} comment "${comment}"`]
}

/** The lines of ports that are open to some addresses alone: one for each protocol and family of those with the same addresses. */
function sourceLines(open: readonly OpenPort[], accept: string): readonly string[] {
  const limited = open.filter(({ sources }) => sources !== undefined)
  const keyOf = ({ protocol, sources = [] }: OpenPort) => [protocol, ...sources].join(' ')
  return [...new Set(limited.map(keyOf))].flatMap((key) => {
    const same = limited.filter((each) => keyOf(each) === key)
    const [{ protocol, sources = [] }] = same as [OpenPort, ...OpenPort[]]
    const ports = portSet(same.map(({ port }) => String(port)))
    const source = { sources, family: 'any', action: 'allow', protocol } as const
    return familiesOf(source).map(
      (family) =>
        `${familyMatch(source, family)} ${protocol} dport ${ports} counter ${accept} comment "opened to ${key.slice(0, 100)} ${family}"`,
    )
  })
}

/** The lines of a rule: one, or one for each family where the addresses differ. */
function linesOf(rule: NftRule, accept: string): readonly string[] {
  const verdicts = { allow: accept, deny: 'drop', reject: 'reject', limit: 'drop' }
  return familiesOf(rule).flatMap((family) => {
    const matches = [familyMatch(rule, family), protocolMatch(rule, family)].filter((each) => each !== '')
    const comment = `comment "rule ${rule.id}${family === 'any' ? '' : ` ${family}`}"`
    if (rule.action !== 'limit' || family === 'any')
      return [[...matches, 'counter', verdicts[rule.action], comment].join(' ')]
    const source = family === 'ipv4' ? 'ip' : 'ip6'
    const [count = '1'] = (rule.rate ?? '').split('/')
    const limit = `limit rate over ${rule.rate} burst ${count} packets`
    const above = `update @${setName(rule, family)} { ${source} saddr ${limit} } counter drop ${comment}`
    return [[...matches, above].join(' '), [...matches, accept, comment.replace('rule', 'within')].join(' ')]
  })
}

type Family = 'any' | 'ipv4' | 'ipv6'

type Matched = Pick<NftRule, 'sources' | 'family' | 'action' | 'protocol'>

function familiesOf({ sources, family, action, protocol }: Matched): readonly Family[] {
  const isSplit = sources.length > 0 || action === 'limit' || protocol === 'icmp'
  const asked: readonly Family[] = family === 'any' ? (isSplit ? ['ipv4', 'ipv6'] : ['any']) : [family]
  if (sources.length === 0) return asked
  return asked.filter((each) => sources.some((source) => parseNetwork(source)?.family === each))
}

function familyMatch({ sources }: Pick<NftRule, 'sources'>, family: Family): string {
  if (family === 'any') return ''
  const networks = sources.flatMap((source) => {
    const network = parseNetwork(source)
    return network?.family === family ? [network] : []
  })
  if (networks.length === 0) return `meta nfproto ${family}`
  return `${family === 'ipv4' ? 'ip' : 'ip6'} saddr { ${withoutNested(networks).map(textOf).join(', ')} }`
}

/** By number: names are looked up in /etc/protocols, which a small host does not have. */
const numbers = { icmp: 1, tcp: 6, udp: 17, icmpv6: 58 } as const

function protocolMatch({ protocol, ports }: NftRule, family: Family): string {
  if (protocol === 'icmp') return `meta l4proto ${family === 'ipv6' ? numbers.icmpv6 : numbers.icmp}`
  if (ports.length === 0) return protocol === 'any' ? '' : `meta l4proto ${numbers[protocol]}`
  if (protocol === 'any') return `meta l4proto { ${numbers.tcp}, ${numbers.udp} } th dport ${portSet(ports)}`
  return `${protocol} dport ${portSet(ports)}`
}

/** Ports in ascending order, with overlapping ranges joined: nftables refuses them otherwise. */
function portSet(ports: readonly string[]): string {
  const ranges = ports
    .map((text) => text.split('-').map(Number))
    .map(([first = 0, last = first]) => ({ first, last }))
    .toSorted((one, other) => one.first - other.first)
  const joined: { first: number; last: number }[] = []
  for (const { first, last } of ranges) {
    const former = joined.at(-1)
    if (former && first <= former.last + 1) former.last = Math.max(former.last, last)
    else joined.push({ first, last })
  }
  return `{ ${joined.map(({ first, last }) => (first === last ? first : `${first}-${last}`)).join(', ')} }`
}

const setName = ({ id }: NftRule, family: Family): string => `rate_${id}_${family}`

/** The set that counts the connections of each source of a rule with a rate. */
function setsOf(rule: NftRule): readonly string[] {
  if (rule.action !== 'limit') return []
  return familiesOf(rule).map((family) => {
    const type = family === 'ipv4' ? 'ipv4_addr' : 'ipv6_addr'
    return `set ${setName(rule, family)} { type ${type}; size 65535; flags dynamic,timeout; timeout 1h; }`
  })
}
