import type { AreaPort } from '../firewall/index.ts'
import type { Ipsec } from './context.ts'

/** The ports of IKE and of packets in UDP, which the firewall opens to the other gateways alone. */
export async function portsOfTunnels({ queries }: Pick<Ipsec, 'queries'>): Promise<readonly AreaPort[]> {
  const enabled = await queries.enabled()
  return enabled.flatMap(({ name, remote_ip: remote }) =>
    [500, 4500].map((port) => ({
      port,
      protocol: 'udp' as const,
      sources: [remote],
      name: 'IPsec',
      reason: `Tunnel ${name}, from ${remote} alone`,
    })),
  )
}
