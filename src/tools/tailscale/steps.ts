import type { StepKind } from '../../core/change.ts'
import { finalStep, stateStep, type Was } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { type Client, readAdvertised, readLocalNode } from './client.ts'
import {
  directory,
  forwardingPath,
  programDirectory,
  socketPath,
  stateDirectory,
  unitPath,
} from './layout.ts'
import { ClientFailed } from './problems.ts'
import { architectureHere } from './program.ts'

/** The unit of the node of this host. It leaves the resolver of the host alone, and logs to the journal only. */
const unit = () => `# Written by Hostreeve.
[Unit]
Description=Node of the mesh VPN on this host (tailscaled)
After=network-online.target headscale.service
Wants=network-online.target

[Service]
ExecStart=${programDirectory(architectureHere())}/tailscaled --no-logs-no-support --statedir=${stateDirectory} --socket=${socketPath} --port=41641
ExecStopPost=${programDirectory(architectureHere())}/tailscaled --cleanup
Restart=on-failure
RestartSec=2
RuntimeDirectory=hostreeve-tailscale
RuntimeDirectoryMode=0700

[Install]
WantedBy=multi-user.target
`

const forwarding = '# Written by Hostreeve.\nnet.ipv4.ip_forward = 1\nnet.ipv6.conf.all.forwarding = 1\n'

interface FilesState {
  readonly unit?: string
  readonly forwarding?: string
  readonly hasState?: true
}

/** The step that writes the unit of the node, and lets the kernel forward packets. */
export const writeFiles = ({
  files,
  services,
  run,
}: Pick<Host, 'files' | 'services' | 'run'>): StepKind<null, Was<FilesState>, null> =>
  stateStep<null, FilesState>({
    name: 'tailscale.write-files',
    plan: () => ({ title: `Write ${unitPath} and ${forwardingPath}` }),
    read: async () => {
      const [own, sysctl] = [await files.read(unitPath), await files.read(forwardingPath)]
      const hasState = (await files.facts(stateDirectory)) !== undefined
      return {
        ...(own !== undefined && { unit: own }),
        ...(sysctl !== undefined && { forwarding: sysctl }),
        ...(hasState && { hasState }),
      }
    },
    wanted: () => ({ unit: unit(), forwarding, hasState: true }),
    write: async (_args, state = {}) => {
      if (state.hasState) await files.makeDirectory(stateDirectory, { mode: 0o700 })
      else await files.removeTree(stateDirectory)
      for (const [path, text] of [
        [unitPath, state.unit],
        [forwardingPath, state.forwarding],
      ] as const)
        if (text === undefined) await files.remove(path)
        else await files.write(path, text)
      await services.reloadUnits()
      if (state.forwarding !== undefined) await setForwarding(run, files.real(forwardingPath))
    },
  })

/** In a unit of its own: that of the panel may not write to /proc/sys (`ProtectKernelTunables`). A kernel without IPv6 leaves that key out (`-e`). */
async function setForwarding(run: Host['run'], path: string): Promise<void> {
  const { code, stderr } = await run(['sysctl', '-e', '-p', path], { timeoutMs: 10_000, isLasting: true })
  if (code !== 0)
    throw ClientFailed(`The kernel was not set to forward packets: ${stderr.trim().slice(0, 500)}`)
}

interface JoinArgs {
  readonly server: string
  readonly hostname: string
  /** The key with which it joins. */
  readonly key: string
}

/** The step that joins this host to the mesh. */
export const join = ({ files }: Pick<Host, 'files'>, client: Client): StepKind<JoinArgs, null, null> => {
  const keyFile = `${stateDirectory}/join-key`
  const isJoined = async () => (await readLocalNode(client)).state === 'Running'
  return {
    name: 'tailscale.join',
    plan: ({ server, hostname }) => ({
      title: `Join this host to the mesh as ${hostname}`,
      details: [server],
    }),
    observe: async () => null,
    act: async ({ server, hostname, key }) => {
      await files.write(keyFile, key, { rights: { mode: 0o600 } })
      const flags = [
        ...[`--login-server=${server}`, `--auth-key=file:${files.real(keyFile)}`, `--hostname=${hostname}`],
        // a client goes on with a node that was deleted unless it is told to join again
        ...['--accept-dns=false', '--reset', '--force-reauth', '--timeout=60s'],
      ]
      try {
        await client.run(['up', ...flags], 90_000)
      } finally {
        await files.remove(keyFile)
      }
      if (!(await isJoined())) throw ClientFailed('The node of this host did not join')
      return null
    },
    undo: async () => {
      await files.remove(keyFile)
      await client.run(['logout']).catch((error: unknown) => {
        if (!(error instanceof Error && error.message.includes('not logged in'))) throw error
      })
    },
    notUndone: 'the node leaves the mesh with the uninstallation of the VPN gateway',
    check: async () => {
      const joined = await isJoined().catch(() => false)
      if (!joined) return 'before'
      return (await files.facts(keyFile)) === undefined ? 'wanted' : 'other' // the key must not stay there
    },
  }
}

interface RoutesArgs {
  readonly routes: readonly string[]
}

/** The networks that the node offers, each by itself. */
type Advertised = Readonly<Record<string, true>>

const exitRoutes = ['0.0.0.0/0', '::/0']

/** The step that sets which networks the node of this host offers; those of an exit node are the default routes. */
export const advertise = (client: Client): StepKind<RoutesArgs, Was<Advertised>, null> =>
  stateStep<RoutesArgs, Advertised>({
    name: 'tailscale.advertise',
    plan: ({ routes }) => ({ title: `Offer to the mesh: ${routes.join(', ') || 'no networks'}` }),
    read: async () => asState(await readAdvertised(client)),
    wanted: ({ routes }) => asState(routes),
    write: async (_args, state = {}) => {
      const routes = Object.keys(state).filter((route) => !exitRoutes.includes(route))
      const isExit = exitRoutes.some((route) => state[route])
      await client.run([
        'set',
        `--advertise-routes=${routes.toSorted().join(',')}`,
        `--advertise-exit-node=${isExit}`,
      ])
    },
  })

const asState = (routes: readonly string[]): Advertised =>
  Object.fromEntries(routes.map((route) => [route, true as const]))

/** The step that removes the stopped node of this host. */
export const removeNode = ({
  files,
  services,
}: Pick<Host, 'files' | 'services'>): StepKind<null, null, null> =>
  finalStep<null>({
    name: 'tailscale.remove',
    plan: () => ({
      title: 'Remove the mesh client of this host',
      details: [unitPath, directory, forwardingPath],
    }),
    why: 'its keys are deleted: this host has to join again',
    act: async () => {
      for (const path of [unitPath, forwardingPath]) await files.remove(path)
      await files.removeTree(directory)
      await services.reloadUnits()
      return null
    },
    isDone: async () => {
      const paths = [unitPath, forwardingPath, directory]
      const left = (await Promise.all(paths.map((path) => files.facts(path)))).filter(Boolean)
      return left.length === 0 || (left.length === paths.length ? false : undefined)
    },
  })
