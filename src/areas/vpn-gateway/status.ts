import { type Change, change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import type { VpnGateway } from './context.ts'
import { meshLock } from './locks.ts'
import type { VpnStatus } from './model.ts'
import { NotInstalled } from './problems.ts'
import { isInstalled } from './settings.ts'

/** Reads whether the control server is installed, runs and answers, and how many users and nodes it has. */
export async function readStatus(on: VpnGateway): Promise<VpnStatus> {
  const { server, client } = on
  const [version, stored, { domain }] = await Promise.all([
    server.installedVersion(),
    server.readStoredKey(),
    on.queries.settings(),
  ])
  const nothing = { local_node: null, users: 0, nodes: 0, online_nodes: 0 }
  const known = { version: version ?? null, server_url: domain === null ? null : `https://${domain}` }
  if (version === undefined || stored === undefined)
    return {
      ...{ installed: false, running: false, answering: false, ...known, ...nothing, key_expires_at: null },
      reason: version === undefined ? 'The control server is not installed' : 'It is not set up by the panel',
    }
  const running = await server.isRunning()
  const state = { installed: true, running, ...known, key_expires_at: stored.expires_at }
  const counted = await counts(on).catch((error: unknown) => messageOf(error))
  if (typeof counted === 'string')
    return { ...state, answering: false, ...nothing, reason: running ? counted : stopped }
  const local_node = await client.readLocalNode().then(
    ({ state: joined, addresses }) => ({ state: joined, addresses: [...addresses] }),
    () => null,
  )
  return { ...state, answering: true, reason: null, local_node, ...counted }
}

const stopped = 'The control server is stopped: nodes stay connected, and none can join'

async function counts({ server }: VpnGateway) {
  const [users, nodes] = await Promise.all([server.listUsers(), server.listNodes()])
  const online_nodes = nodes.filter(({ isOnline }) => isOnline).length
  return { users: users.length, nodes: nodes.length, online_nodes }
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 2000)

/** Starts, stops or restarts the control server. Nodes keep their connections while it is stopped. */
export async function switchServer(
  on: VpnGateway,
  action: 'start' | 'stop' | 'restart',
): Promise<Change<{ success: true }>> {
  if (!(await isInstalled(on))) throw NotInstalled()
  const { steps } = on.server
  return change({
    summary: `${action[0]?.toUpperCase()}${action.slice(1)} the control server of the mesh`,
    locks: [meshLock],
    steps: [
      step(steps.switchProgram, { verb: action }),
      ...(action === 'stop' ? [] : [step(steps.awaitAnswer, null)]),
    ],
    reply: success,
  })
}
