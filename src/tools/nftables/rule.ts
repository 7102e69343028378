/** A rule for packets that arrive at this host. */
export interface NftRule {
  readonly id: number
  /** `limit` admits the rate from each source address, and drops the rest. */
  readonly action: 'allow' | 'deny' | 'reject' | 'limit'
  readonly protocol: 'any' | 'tcp' | 'udp' | 'icmp'
  /** `22` or `8000-8100`; empty for every port. */
  readonly ports: readonly string[]
  /** Addresses and networks; empty for every source. */
  readonly sources: readonly string[]
  readonly family: 'any' | 'ipv4' | 'ipv6'
  /** `10/minute`, for `limit` only. */
  readonly rate: string | null
}

/** A port that is open without a rule. */
export interface OpenPort {
  readonly port: number
  readonly protocol: 'tcp' | 'udp'
  /** The addresses to which it is open. Default: all. */
  readonly sources?: readonly string[]
}

/** The content of the table. */
export interface TableDraft {
  readonly rules: readonly NftRule[]
  /** TCP ports that no rule closes. */
  readonly always: readonly number[]
  /** Ports that are open unless a rule closes them. */
  readonly open: readonly OpenPort[]
  /** Another firewall, which decides on what no rule is about, and accepts what is marked. */
  readonly otherFirewall?: 'ufw' | 'firewalld'
}

/** The mark of packets that are admitted beside another firewall; a bit that Docker, Kubernetes and Tailscale leave alone. */
export const admittedMark = '0x10000000'
/** The table that the panel owns. */
export const ownTable = 'hostreeve'
/** The table of banned addresses. */
export const banTable = 'hostreeve_bans'
