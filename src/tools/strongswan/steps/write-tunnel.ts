import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import { unifiedDiff } from '../../../core/unified-diff.ts'
import {
  childIn,
  connectionOf,
  renderTunnel,
  type Tunnel,
  tunnelPath,
  withoutSecret,
} from '../configuration.ts'
import { TunnelRefused } from '../problems.ts'
import { type CharonHost, isCharonRunning, swanctl } from '../swanctl.ts'

export interface WriteTunnelArgs {
  readonly id: number
  /** Null removes it. */
  readonly tunnel: Tunnel | null
}

interface TunnelState {
  readonly text: string
}

/** The step that writes or removes a tunnel with its secret, and has the running strongSwan load it. */
export function writeTunnel(host: CharonHost): StepKind<WriteTunnelArgs, Was<TunnelState>, null> {
  const read = async ({ id }: WriteTunnelArgs) => {
    const text = await host.files.read(tunnelPath(id))
    return text === undefined ? undefined : { text }
  }
  const wanted = ({ tunnel }: WriteTunnelArgs) =>
    tunnel === null ? undefined : { text: renderTunnel(tunnel) }
  const diff = ({ id }: WriteTunnelArgs, was?: TunnelState, now?: TunnelState) => ({
    files: [
      {
        path: tunnelPath(id),
        diff: unifiedDiff(tunnelPath(id), was && withoutSecret(was.text), now && withoutSecret(now.text)),
      },
    ],
  })
  return stateStep<WriteTunnelArgs, TunnelState>({
    name: 'strongswan.write-tunnel',
    plan: ({ id, tunnel }) => ({
      title: `${tunnel === null ? 'Remove' : 'Write'} ${tunnelPath(id)}`,
      commands: [
        ['swanctl', '--terminate', '--ike', connectionOf(id)],
        ['swanctl', ...loading],
      ],
    }),
    preview: async (args) => diff(args, await read(args), wanted(args)),
    changed: diff,
    read,
    wanted,
    write: async ({ id }, state) => {
      if (state === undefined) await host.files.remove(tunnelPath(id))
      else {
        await host.files.makeDirectory('/etc/swanctl/conf.d')
        await host.files.write(tunnelPath(id), state.text, { rights: { mode: 0o600 } })
      }
      await load(host, id)
    },
    isInEffect: async ({ id }) => {
      if (!(await isCharonRunning(host))) return true
      const { stdout } = await swanctl(host, '--list-conns', '--raw')
      const text = await host.files.read(tunnelPath(id))
      if (text === undefined) return !stdout.includes(`{${connectionOf(id)} {`)
      return stdout.includes(`{${childIn(text)} {`)
    },
  })
}

/** `--clear` forgets the secrets of tunnels that are gone; those of every file are loaded again. */
const loading = ['--load-all', '--clear', '--noprompt'] as const

/** A connection that was loaded anew does not end what was agreed on under the former one. */
async function load(host: CharonHost, id: number): Promise<void> {
  if (!(await isCharonRunning(host))) return
  await terminate(host, id)
  const { code, stdout, stderr } = await swanctl(host, ...loading)
  if (code !== 0)
    throw TunnelRefused(`swanctl: ${withoutSecret(stderr.trim() || stdout.trim()).slice(0, 2000)}`)
}

/** Ends what a tunnel has agreed on; an error tells that there is nothing. */
export const terminate = (host: Pick<CharonHost, 'run'>, id: number) =>
  swanctl(host, '--terminate', '--ike', connectionOf(id), '--force', '--timeout', '5')
