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
  readonly domains: readonly string[]
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

const marker = '-- hostreeve: '

/** Renders what `parseBalancer` reads as a line of a Lua comment; JSON has no line breaks. */
export const balancerLine = (balancer: Balancer): string => `${marker}${JSON.stringify(balancer)}`

/** Reads the balancer from the file that was rendered from it; an empty one if there is none. */
export function parseBalancer(text: string | undefined): Balancer {
  const line = text?.split('\n').find((each) => each.startsWith(marker))
  return line === undefined ? emptyBalancer : { ...emptyBalancer, ...JSON.parse(line.slice(marker.length)) }
}
