import { relayPort } from '../../tools/headscale/index.ts'
import type { AreaPort } from '../firewall/index.ts'
import type { VpnGateway } from './context.ts'

const nodePort = 41_641

/** The ports that the firewall keeps open once the gateway is installed: those by which nodes find each other. */
export async function portsOfMesh({ server }: Pick<VpnGateway, 'server'>): Promise<readonly AreaPort[]> {
  if ((await server.readStoredKey()) === undefined) return [] // read every few seconds: no program is run for it
  return [
    { port: relayPort, protocol: 'udp', name: 'VPN gateway', reason: 'Nodes learn their outer address' },
    { port: nodePort, protocol: 'udp', name: 'VPN gateway', reason: 'Nodes reach this host directly' },
  ]
}
