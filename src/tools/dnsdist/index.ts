import type { Found } from '../../core/tool.ts'
import type { Host } from '../../host/index.ts'
import { type Opening, tool } from '../tool.ts'
import { assertAccepted, removeUnused } from './apply.ts'
import { balancerPath, debianLayout, type DnsdistLayout } from './layout.ts'
import type { DnsdistParts } from './parts.ts'
import { type DnsdistStarter, openProgram, startWith } from './program.ts'
import { readBalancer, readContaining, readStored } from './read-balancer.ts'
import { setUp } from './set-up.ts'
import { setBalancer } from './steps/set-balancer.ts'
import { switchProgram } from './steps/switch-program.ts'
import { writeBackup, writeConfig } from './steps/write-config.ts'
import { readTopQueries } from './top-queries.ts'

export type { AddressList, Balancer, DomainList } from './balancer.ts'
export type { DnsdistLayout, DnsdistStarter }
export * as dnsdistProblems from './problems.ts'
export { notTaken } from '../../host/apply/problems.ts'
export { wireName } from './wire-name.ts'

export interface DnsdistOptions {
  /** The host that dnsdist runs on if it is not the panel's own, as in tests. */
  readonly host?: Host
  readonly layout?: DnsdistLayout
  readonly starter?: DnsdistStarter
}

/** dnsdist as managed by the panel. */
export const dnsdist = tool({
  name: 'dnsdist',
  title: 'dnsdist',
  packages: ['dnsdist'],
  service: 'dnsdist',
  open: openParts,
  detect,
  setUp,
  /** Removes leftovers of a killed panel, and databases of lists that it did not get to use. */
  reconcile: async (parts) => {
    const { host, layout } = parts
    await host.files.cleanLeftovers(layout.directory)
    await host.files.cleanLeftovers(layout.configPath.slice(0, layout.configPath.lastIndexOf('/')))
    await removeUnused(parts, await readStored(parts))
  },
  steps: (parts) => ({
    setBalancer: setBalancer(parts),
    writeConfig: writeConfig(parts),
    writeBackup: writeBackup(parts),
    switchProgram: switchProgram(parts),
  }),
  verbs: (parts) => ({
    layout: parts.layout,
    isRunning: () => parts.starter.isRunning(),
    startedAt: () => parts.starter.startedAt(),
    /** Reads the servers, lists and rules of the panel. */
    readBalancer: () => readBalancer(parts),
    /** Reads them without the domains of the lists. */
    readStored: () => readStored(parts),
    /** Reads the rules, and the domain lists with those of some domains that each contains. */
    readContaining: (domains: readonly string[]) => readContaining(parts, domains),
    readConfig: () => parts.host.files.read(parts.layout.configPath),
    assertAccepted: (config: string) => assertAccepted(parts, config),
    /** Sends GET to the HTTP API of dnsdist; undefined when it does not answer. */
    get: (path: string) => parts.program.get(path),
    topQueries: () => readTopQueries(parts.program),
  }),
})

export type Dnsdist = ReturnType<typeof dnsdist.open>

function openParts({ host: panelHost }: Opening, options: DnsdistOptions = {}): DnsdistParts {
  const host = options.host ?? panelHost
  const layout = options.layout ?? debianLayout
  const starter = options.starter ?? startWith(host, layout.service)
  return { host, layout, starter, program: openProgram(host, layout) }
}

async function detect({ host, layout, program }: DnsdistParts): Promise<Found> {
  const version = await program.version()
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'dnsdist is not installed' }
  if ((await host.files.facts(balancerPath(layout))) === undefined)
    return { present: true, version, healthy: false, reason: 'dnsdist is not set up for the panel' }
  return { present: true, version, healthy: true, reason: null }
}
