import type { Ipsec } from './context.ts'
import { anyNetwork, type IpsecStatus, type Tunnel } from './model.ts'
import { tunnels } from './store.ts'

/** Lists the tunnels with what strongSwan makes of them, and why not. */
export async function listTunnels(on: Ipsec): Promise<Tunnel[]> {
  const rows = await on.queries.all()
  const isRunning = await on.strongswan.isRunning()
  const connections = await on.strongswan.readConnections()
  const failing = rows.filter(({ id, enabled }) => enabled && isRunning && !connections.get(id)?.isUp)
  const reasons = await on.strongswan.explainFailures(
    failing.map(({ id, remote_ip: remoteAddress }) => ({ id, remoteAddress })),
  )
  return rows.map((row) => {
    const { revision: _revision, ...tunnel } = tunnels.show(row)
    const found = connections.get(row.id)
    const status = statusOf({ isEnabled: tunnel.enabled, isRunning, isUp: found?.isUp })
    return {
      ...tunnel,
      shared_secret: on.store.unseal(row.sealed_secret),
      status,
      reason: (status === 'stopped' ? 'strongSwan does not run' : (reasons.get(row.id) ?? '')).slice(0, 1000),
      received_bytes: found?.receivedBytes ?? 0,
      sent_bytes: found?.sentBytes ?? 0,
    }
  })
}

interface Seen {
  readonly isEnabled: boolean
  readonly isRunning: boolean
  /** Undefined where strongSwan has no connection for the tunnel. */
  readonly isUp: boolean | undefined
}

function statusOf({ isEnabled, isRunning, isUp }: Seen): Tunnel['status'] {
  if (!isEnabled) return 'disabled'
  if (!isRunning) return 'stopped'
  if (isUp === undefined) return 'down'
  return isUp ? 'up' : 'connecting'
}

/** Returns whether strongSwan is installed and runs, and how many tunnels are up. */
export async function readStatus({ strongswan, queries }: Ipsec): Promise<IpsecStatus> {
  const { present, version, reason } = await strongswan.detect()
  const [enabled, connections] = [await queries.enabled(), await strongswan.readConnections()]
  return {
    installed: present,
    running: await strongswan.isRunning(),
    version,
    reason,
    tunnels: enabled.length,
    up: enabled.filter(({ id }) => connections.get(id)?.isUp).length,
  }
}

/** Lists the networks behind the other gateways of enabled tunnels. */
export async function remoteSubnets({ queries }: Pick<Ipsec, 'queries'>): Promise<readonly string[]> {
  const subnets = (await queries.enabled()).map(({ remote_subnet }) => remote_subnet)
  return [...new Set(subnets)].filter((subnet) => subnet !== anyNetwork)
}
