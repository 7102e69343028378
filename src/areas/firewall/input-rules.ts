import type { Firewall } from './context.ts'
import { firewallRules } from './store.ts'
import { areaPorts } from './table.ts'

/** A rule of the firewall for packets to this host, or a port that an area has opened. */
export interface InputRule {
  readonly admits: boolean
  /** Undefined for every protocol. */
  readonly protocol: 'tcp' | 'udp' | 'icmp' | undefined
  /** Ports and ranges; none for every port. */
  readonly ports: readonly string[]
  /** Addresses and networks; none for every source. */
  readonly sources: readonly string[]
  readonly family: 'any' | 'ipv4' | 'ipv6'
}

/** Returns what the firewall admits to this host, in order; undefined while it is off. What no rule matches is dropped. */
export async function inputRules(on: Firewall): Promise<readonly InputRule[] | undefined> {
  const [settings, rows] = await Promise.all([on.queries.settings(), on.queries.rules()])
  if (settings.is_enabled !== 1) return undefined
  const rules = rows.map((row): InputRule => {
    const { action, protocol, ports, sources, family } = firewallRules.show(row)
    const admits = action === 'allow' || action === 'limit'
    return { admits, protocol: protocol === 'any' ? undefined : protocol, ports, sources, family }
  })
  const opened = (await areaPorts(on)).map(({ port, protocol, sources = [] }): InputRule => ({
    admits: true,
    protocol,
    ports: [String(port)],
    sources,
    family: 'any',
  }))
  return [...rules, ...opened]
}
