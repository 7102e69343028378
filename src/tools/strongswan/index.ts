import type { Found } from '../../core/tool.ts'
import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import { type Opening, tool } from '../tool.ts'
import { explain } from './explain.ts'
import { messagesAbout, readCharonLog } from './journal.ts'
import { readConnections } from './live.ts'
import { addressTowards, listNetworks } from './networks.ts'
import { negotiate } from './steps/negotiate.ts'
import { setForwarding } from './steps/set-forwarding.ts'
import { writeTunnel } from './steps/write-tunnel.ts'
import { charonUnit, charonVersion, isCharonRunning } from './swanctl.ts'

export type { Tunnel } from './configuration.ts'
export type { OwnNetwork } from './networks.ts'
export { ForwardingFailed, NegotiationFailed, TunnelRefused } from './problems.ts'

interface SwitchArgs {
  readonly verb: 'start' | 'stop' | 'restart' | 'enable' | 'disable'
}

interface Asked {
  readonly id: number
  readonly remoteAddress: string
}

/** strongSwan, which builds IPsec tunnels to other gateways; driven through swanctl. */
export const strongswan = tool({
  name: 'strongswan',
  title: 'strongSwan',
  packages: [
    'strongswan-swanctl',
    'charon-systemd',
    'libcharon-extra-plugins',
    'libstrongswan-standard-plugins',
    'libstrongswan-extra-plugins',
  ],
  service: charonUnit,
  detect,
  steps: ({ host, service }) => ({
    switchProgram: serviceStep<SwitchArgs>(serviceOf(host.services, service), {
      name: 'strongswan.switch-program',
      title: 'strongSwan',
      reloads: 'strongswan',
    }),
    writeTunnel: writeTunnel(host),
    setForwarding: setForwarding(host),
    negotiate: negotiate(host),
  }),
  verbs: ({ host }) => ({
    /** Returns whether its service runs. */
    isRunning: () => isCharonRunning(host),
    /** Reads the connections of the panel's tunnels by their ids. */
    readConnections: () => readConnections(host),
    /** Explains why the latest negotiations of these tunnels failed, by their ids. */
    explainFailures: async (tunnels: readonly Asked[]): Promise<ReadonlyMap<number, string>> => {
      const lines = tunnels.length === 0 ? [] : await readCharonLog(host)
      return new Map(
        tunnels.flatMap((each) => {
          const reason = explain(messagesAbout(lines, each))
          return typeof reason === 'string' ? [[each.id, reason] as const] : []
        }),
      )
    },
    /** Lists the networks of this host. */
    listNetworks: () => listNetworks(host),
    /** Returns the address from which this host reaches another one. */
    addressTowards: (address: string) => addressTowards(host, address),
  }),
})

async function detect({ host }: Opening): Promise<Found> {
  const version = await charonVersion(host)
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'strongSwan is not installed' }
  return { present: true, version, healthy: true, reason: null }
}
