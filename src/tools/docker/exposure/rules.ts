import { parseNetwork, textOf } from '../../../host/networks.ts'

/** A rule of the filter table, as far as it tells who can reach a port. */
export interface FilterRule {
  /** As iptables prints it. */
  readonly text: string
  /** RETURN, ACCEPT, DROP, REJECT, or the chain that it leads to. */
  readonly target: string
  /** True if packets do not come back from that chain to the next rule. */
  readonly isGoto: boolean
  /** Undefined for every source. */
  readonly source: string | undefined
  /** True if it matches every source but that one. */
  readonly isNegated: boolean
  /** Undefined for every protocol. */
  readonly protocol: string | undefined
  /** The port that a connection was made to, before the engine led it to the container. */
  readonly hostPort: number | undefined
  /** The port of the packet: that in the container, where the engine has led it there. */
  readonly packetPort: number | undefined
  /** True if it matches packets to this host alone, not those that are forwarded to containers. */
  readonly isToHost: boolean
  /** True if it matches packets of new connections that come from elsewhere. */
  readonly matchesNew: boolean
  /** False if it has a condition that is not read, such as an interface. */
  readonly isRead: boolean
}

/** The filter table of a family. */
export interface FilterTable {
  readonly chains: ReadonlyMap<string, readonly FilterRule[]>
  /** The policies of the chains of the kernel. */
  readonly policies: ReadonlyMap<string, string>
}

/** Reads what `iptables -S` prints. */
export function parseTable(text: string): FilterTable {
  const chains = new Map<string, FilterRule[]>()
  const policies = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [verb, chain = '', ...rest] = wordsOf(line)
    if (verb === '-P') policies.set(chain, rest[0] ?? '')
    if (verb === '-P' || verb === '-N') chains.set(chain, [])
    if (verb === '-A') chains.set(chain, [...(chains.get(chain) ?? []), ruleOf(line, rest)])
  }
  return { chains, policies }
}

/** Words are separated by spaces; a comment is quoted. */
const wordsOf = (line: string): readonly string[] => line.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? []

/** Options with a value that do not narrow what is matched, or follow from the chain. */
const harmless = new Set(['-m', '--comment', '--reject-with'])

function ruleOf(text: string, parts: readonly string[]): FilterRule {
  const read: { -readonly [Key in keyof FilterRule]: FilterRule[Key] } = {
    text,
    target: '',
    isGoto: false,
    source: undefined,
    isNegated: false,
    protocol: undefined,
    hostPort: undefined,
    packetPort: undefined,
    isToHost: false,
    matchesNew: true,
    isRead: true,
  }
  for (let at = 0; at < parts.length; at += 1) {
    const isNot = parts[at] === '!'
    if (isNot) at += 1
    const [option = '', value = ''] = [parts[at], parts[at + 1]]
    at += 1
    if (option === '-i' && value === 'lo') read.matchesNew = false // packets of this host itself
    else if (option === '-s') Object.assign(read, { source: sourceOf(value), isNegated: isNot })
    else if (isNot) read.isRead = false
    else if (option === '-j' || option === '-g')
      Object.assign(read, { target: value, isGoto: option === '-g' })
    else if (option === '-p') read.protocol = value
    else if (option === '--ctorigdstport' && isNumber(value)) read.hostPort = Number(value)
    else if (option === '--dport' && isNumber(value)) read.packetPort = Number(value)
    else if (option === '--dst-type' && value === 'LOCAL') read.isToHost = true
    else if (option === '--ctdir') read.matchesNew &&= value === 'ORIGINAL'
    else if (option === '--ctstate' || option === '--state')
      read.matchesNew &&= /\b(?:NEW|DNAT)\b/.test(value)
    else if (!harmless.has(option)) read.isRead = false
  }
  return read
}

const isNumber = (text: string): boolean => /^\d+$/.test(text)

/** An address without the prefix that iptables adds. */
function sourceOf(text: string): string {
  const network = parseNetwork(text)
  return network === undefined ? text : textOf(network)
}

/** A published port, as packets come to it. */
export interface ReachedPort {
  readonly protocol: string
  readonly hostPort: number
  /** Where the packets of the chain go: to the port in the container once the engine has led them there. */
  readonly packetPort: number
}

/** Who can reach a port. */
export interface PortReach {
  /** True if every source is admitted but those that are denied. */
  readonly isOpen: boolean
  /** The sources that are admitted where not all are. */
  readonly allowed: readonly string[]
  readonly denied: readonly string[]
  /** Rules with conditions that are not read: they may close more. */
  readonly unread: readonly string[]
}

/** The chain that packets to this host pass. */
const toHost = 'INPUT'
const verdicts = new Set(['ACCEPT', 'RETURN', 'DROP', 'REJECT'])

/**
 * Follows the rules of a chain for new connections to a port. A rule that is not read counts only where it admits, so that the
 * reach is never told smaller than it is.
 */
export function reachThrough({ chains, policies }: FilterTable, chain: string, port: ReachedPort): PortReach {
  const found: Record<'allowed' | 'denied' | 'unread', string[]> = { allowed: [], denied: [], unread: [] }
  const isMet = (rule: FilterRule) => isFor(rule, port) && (!rule.isToHost || chain === toHost)
  /** `isWhole` is false for a chain that not all packets to the port pass. */
  const follow = (name: string, depth: number, isWhole: boolean): boolean | undefined => {
    for (const rule of (chains.get(name) ?? []).filter(isMet)) {
      const { target, source, isNegated, isRead } = rule
      if (!isRead) found.unread.push(rule.text)
      if (!verdicts.has(target)) {
        const isForAll = isRead && source === undefined
        const end = depth < 10 ? follow(target, depth + 1, isWhole && isForAll) : undefined
        if (end === true || (end === false && isForAll)) return end
        if (end === undefined && rule.isGoto) return undefined
        continue
      }
      const admits = target === 'ACCEPT' || target === 'RETURN'
      if (!isRead && !admits) continue
      if (source === undefined) return target === 'RETURN' && depth > 0 ? undefined : admits
      if (isNegated !== admits) found.allowed.push(source)
      else if (isWhole) found.denied.push(source)
      if (isNegated) return admits
    }
    return undefined
  }
  const isOpen = follow(chain, 0, true) ?? policies.get(chain) !== 'DROP'
  return { isOpen, ...found }
}

function isFor({ protocol, hostPort, packetPort, matchesNew }: FilterRule, port: ReachedPort): boolean {
  return (
    matchesNew &&
    (protocol === undefined || protocol === 'all' || protocol === port.protocol) &&
    (hostPort === undefined || hostPort === port.hostPort) &&
    (packetPort === undefined || packetPort === port.packetPort)
  )
}
