import { frontendsOf, parseConfig } from '../../tools/haproxy/index.ts'
import type { AreaPort } from '../firewall/index.ts'
import type { Lbproxy } from './context.ts'

/** The ports of frontends that the firewall keeps open; none for an address that only this host reaches. */
export async function portsOfFrontends({ haproxy }: Pick<Lbproxy, 'haproxy'>): Promise<readonly AreaPort[]> {
  const frontends = frontendsOf(parseConfig(await haproxy.readConfig()))
  return frontends.flatMap(({ name, binds }) =>
    binds
      .filter(({ address }) => !/^(?:127\.|::1$|\[::1\]|localhost$|\/|unix@)/.test(address))
      .map(({ port }) => ({
        port: port || 80,
        protocol: 'tcp' as const,
        name: 'Load balancer',
        reason: `Frontend ${name}`.slice(0, 500),
      })),
  )
}
