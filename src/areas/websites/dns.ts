import { type Addresses, isInternal, isV4, rangesOf } from '../../host/fetch/index.ts'
import type { WebsiteDns } from './model.ts'

/** Returns the records that lead to this host, and where the name leads today. */
export async function dnsOf(addresses: Addresses, name: string): Promise<WebsiteDns> {
  const own = addresses.own()
  const resolved = await addresses.lookUp(name)
  return { ...recordsOf(own), resolves_to: [...resolved], state: stateOf(own, resolved) }
}

/** The public addresses; the private ones where there is none, as behind a router. */
export function recordsOf(own: readonly string[]): Pick<WebsiteDns, 'ipv4' | 'ipv6' | 'is_public'> {
  const open = own.filter((address) => !isInternal(address))
  const shown = open.length > 0 ? open : own
  return {
    ipv4: shown.filter((address) => isV4(address)),
    ipv6: shown.filter((address) => !isV4(address)),
    is_public: open.length > 0,
  }
}

function stateOf(own: readonly string[], resolved: readonly string[]): WebsiteDns['state'] {
  if (resolved.length === 0) return 'unresolved'
  const here = resolved.filter((address) => rangesOf(own).has(address))
  if (here.length === resolved.length) return 'here'
  return here.length === 0 ? 'elsewhere' : 'partly_here'
}
