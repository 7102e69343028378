import { randomBytes } from 'node:crypto'
import { type Step, step } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import type { OwnNetwork, Tunnel } from '../../tools/strongswan/index.ts'
import { secondsOf } from './checks.ts'
import type { Ipsec } from './context.ts'
import { anyNetwork } from './model.ts'
import { type TunnelRow, tunnels } from './store.ts'

/** The steps after which strongSwan runs with a tunnel as its row has it. */
export async function bringUp(
  on: Ipsec,
  row: TunnelRow,
  { own }: { readonly own: readonly OwnNetwork[] },
): Promise<readonly Step[]> {
  const { steps, detect } = on.strongswan
  const { present, reason } = await detect()
  if (!present) throw Unavailable(reason ?? undefined)
  return [
    step(steps.setForwarding, { isOn: true }),
    step(steps.switchProgram, { verb: 'enable' }),
    step(steps.switchProgram, { verb: 'start' }),
    step(steps.writeTunnel, { id: row.id, tunnel: tunnelOf(on, row, own) }),
  ]
}

/** The steps after which nothing of a tunnel is left: no file, no route, and no forwarding if it was the last. */
export async function takeDown(on: Ipsec, { id, enabled }: TunnelRow): Promise<readonly Step[]> {
  if (!enabled) return []
  const isLast = (await on.queries.enabled()).every((each) => each.id === id)
  const { steps } = on.strongswan
  return [
    step(steps.writeTunnel, { id, tunnel: null }),
    ...(isLast ? [step(steps.setForwarding, { isOn: false })] : []),
  ]
}

/** A row as strongSwan is configured with it. */
function tunnelOf({ store }: Ipsec, row: TunnelRow, own: readonly OwnNetwork[]): Tunnel {
  const tunnel = tunnels.show(row)
  const hasNetworks = tunnel.remote_subnet !== anyNetwork
  return {
    id: tunnel.id,
    generation: randomBytes(4).toString('hex'),
    localAddress: tunnel.local_ip,
    isBound: own.some(({ address }) => address === tunnel.local_ip),
    remoteAddress: tunnel.remote_ip,
    remoteId: tunnel.remote_id || tunnel.remote_ip,
    localSubnet: hasNetworks ? tunnel.local_subnet : null,
    remoteSubnet: hasNetworks ? tunnel.remote_subnet : null,
    version: tunnel.ike_version === 2 ? 2 : 1,
    ikeLifetime: secondsOf(tunnel.ike_lifetime),
    keyLifetime: secondsOf(tunnel.key_lifetime),
    tunnelLifetime: secondsOf(tunnel.tunnel_lifetime),
    dpdDelay: secondsOf(tunnel.dpd_delay),
    dpdTimeout: secondsOf(tunnel.dpd_timeout),
    ikeProtections: tunnel.phase1_proposals,
    espProtections: tunnel.phase2_proposals,
    group: tunnel.dh_group,
    hasPfs: tunnel.pfs_enabled,
    detectsReplay: tunnel.replay_detection,
    secret: store.unseal(row.sealed_secret),
  }
}
