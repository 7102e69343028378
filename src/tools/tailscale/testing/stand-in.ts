import type { Script } from '../../../host/testing/scripted-run.ts'

/** The node of a host, as its client shows it. */
export interface StandInNode {
  isJoined: boolean
  addresses: string[]
  routes: string[]
  /** The files of the keys with which it was joined. */
  keys: string[]
}

/** Answers the commands of the mesh client. */
export function scriptTailscale(node: StandInNode): Script {
  return ([program, _socket, verb, ...rest]) => {
    if (!program?.endsWith('/tailscale')) return undefined
    const valueOf = (flag: string) =>
      rest.find((each) => each.startsWith(`--${flag}=`))?.slice(flag.length + 3)
    switch (verb) {
      case 'status':
        return {
          stdout: JSON.stringify({
            BackendState: node.isJoined ? 'Running' : 'NeedsLogin',
            Self: { TailscaleIPs: node.isJoined ? node.addresses : null },
          }),
        }
      case 'debug':
        return { stdout: JSON.stringify({ AdvertiseRoutes: node.routes.length === 0 ? null : node.routes }) }
      case 'up':
        node.isJoined = true
        node.keys.push(valueOf('auth-key') ?? '')
        return {}
      case 'logout':
        node.isJoined = false
        return {}
      case 'set': {
        const routes = (valueOf('advertise-routes') ?? '').split(',').filter(Boolean)
        const exit = valueOf('advertise-exit-node') === 'true' ? ['0.0.0.0/0', '::/0'] : []
        node.routes = [...routes, ...exit].toSorted()
        return {}
      }
      default:
        return undefined
    }
  }
}
