import { createHash } from 'node:crypto'

/** A name server that receives the queries of its pool. */
export interface Server {
  readonly name: string
  /** `192.0.2.1:53` or `[2001:db8::1]:53`. */
  readonly address: string
  /** Empty: the default pool, which receives every query that no rule sends elsewhere. */
  readonly pool: string
  readonly weight: number
  readonly order: number
  /** `auto`: as its health checks find it. */
  readonly mode: 'auto' | 'up' | 'down'
}

/** Clients, by address or network. */
export interface AddressList {
  readonly name: string
  /** `allow` exempts from all later lists and excludes nobody; an unknown action has no effect. */
  readonly action: string
  readonly addresses: readonly string[]
  /** Queries per second of one address; of `ratelimit` only. */
  readonly rateLimit: number
}

/** Domains with everything below them. */
export interface DomainList {
  readonly name: string
  readonly action: 'block' | 'whitelist'
  /** One to a line: a million of them are compared and stored as one text. */
  readonly domains: string
}

/** What happens to the queries that match. */
export interface Rule {
  readonly id: number
  readonly name: string
  readonly match: 'all' | 'client' | 'domain' | 'type'
  /** A network, a domain or a record type; empty for `all`. */
  readonly value: string
  readonly action: 'allow' | 'drop' | 'nxdomain' | 'pool' | 'refuse' | 'truncate'
  /** The pool of the action `pool`, otherwise empty. */
  readonly pool: string
}

/** All that the panel configures in dnsdist; each list in the order in which it is evaluated. */
export interface Balancer {
  readonly servers: readonly Server[]
  readonly addressLists: readonly AddressList[]
  readonly domainLists: readonly DomainList[]
  readonly rules: readonly Rule[]
}

export const emptyBalancer: Balancer = { servers: [], addressLists: [], domainLists: [], rules: [] }

/** A domain list as the file names it: its domains are in a constant database beside it. */
type StoredList = Omit<DomainList, 'domains'> & { readonly database: string }

/** The balancer as its file contains it. */
export interface StoredBalancer extends Omit<Balancer, 'domainLists'> {
  readonly domainLists: readonly StoredList[]
}

const marker = '-- hostreeve: '

/** Renders what `storedBalancerIn` reads as a line of a Lua comment; JSON has no line breaks. */
export function balancerLine(balancer: Balancer): string {
  const domainLists = balancer.domainLists.map((list): StoredList => ({
    name: list.name,
    action: list.action,
    database: databaseName(list),
  }))
  return `${marker}${JSON.stringify({ ...balancer, domainLists })}`
}

/** Returns the line of a balancer in the file that was rendered from it. */
export const balancerLineIn = (text: string): string | undefined =>
  text.split('\n').find((each) => each.startsWith(marker))

/** Reads the balancer from the file that was rendered from it; an empty one if there is none. */
export function storedBalancerIn(text: string | undefined): StoredBalancer {
  const line = text === undefined ? undefined : balancerLineIn(text)
  const empty = { ...emptyBalancer, domainLists: [] }
  if (line === undefined) return empty
  const read = { ...empty, ...JSON.parse(line.slice(marker.length)) }
  return { ...read, domainLists: read.domainLists.map(storedListOf) }
}

/** Files of former versions contain the domains, whose database has the same name. */
function storedListOf({
  domains,
  ...list
}: StoredList & { readonly domains?: readonly string[] }): StoredList {
  return domains === undefined
    ? list
    : { ...list, database: databaseName({ ...list, domains: domains.join('\n') }) }
}

/** Returns the name of the constant database of a domain list, which names its content. */
export function databaseName({ name, domains }: DomainList): string {
  return `${name}-${createHash('sha256').update(domains).digest('hex').slice(0, 16)}.cdb`
}
