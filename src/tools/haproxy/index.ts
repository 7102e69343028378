import type { HaproxyParts } from './parts.ts'
import { readLive } from '../../host/apply/edited-file.ts'
import type { Found } from '../../core/tool.ts'
import type { Host } from '../../host/index.ts'
import { parseConfig } from './config/config.ts'
import { statsSocketOf } from './config/stats-socket.ts'
import { debianLayout, type HaproxyLayout } from './layout.ts'
import { type HaproxyProgram, openProgram } from './program.ts'
import { startWith } from './start.ts'
import { type ForcedState, keepStates, readForced, setState } from './states.ts'
import { parseStats, parseStatuses, type StatRow } from './stats.ts'
import { backupFiles } from './backup-files.ts'
import { certificateFiles } from './certificate-files.ts'
import { findPortHolder } from './port-holder.ts'
import { configFile } from './steps/edit-config.ts'
import { switchProgram } from './steps/switch-program.ts'
import { setServerState } from './steps/set-server-state.ts'
import { writeConfigStep } from './steps/write-config.ts'
import { writeFileStep } from './steps/write-file.ts'
import { type Opening, tool } from '../tool.ts'
import { haproxyTool } from './tool.ts'
import type { HaproxyStarter } from './start.ts'
import { type Watcher, watchProcesses } from './program-watch.ts'

export { notTaken } from '../../host/apply/problems.ts'
export * as haproxyProblems from './problems.ts'
export { parseConfig, writeConfig } from './config/config.ts'
export { type ConfigEdit, editText } from './config/edits.ts'
export { type FrontendView, frontendsOf } from './config/frontends.ts'
export type { FrontendParts } from './config/frontend-parts.ts'
export type { BackendParts, HttpCheck } from './config/backend-parts.ts'
export { backendNamed, type BackendView, backendsOf, serverNamed } from './config/proxies.ts'
export type { ServerSettings, ServerView } from './config/server-line.ts'
export { type Certificate, makeSelfSigned, readCertificate } from './certificate.ts'
export { maskConfig, unmaskConfig } from './config/mask.ts'
export { powersGained } from './config/powers.ts'
export type { ServerState } from './states.ts'
export type { HaproxyLayout, HaproxyProgram, HaproxyStarter, StatRow }

export interface HaproxyOptions {
  /** The host that HAProxy runs on if it is not the panel's own, as in tests. */
  readonly host?: Host
  readonly layout?: HaproxyLayout
  /** A stand-in for the running HAProxy, for tests of code that depends on it. */
  readonly program?: HaproxyProgram
  readonly starter?: HaproxyStarter
}

/** HAProxy as managed by the panel. */
export const haproxy = tool({
  name: 'haproxy',
  title: 'HAProxy',
  packages: ['haproxy'],
  service: 'haproxy',
  open: openParts,
  detect,
  /** Removes leftovers of a killed panel next to the configuration, the certificates and the backups. */
  reconcile: async ({ host, layout }) => {
    const directory = layout.configPath.slice(0, layout.configPath.lastIndexOf('/'))
    for (const each of [directory, layout.certificatesDirectory, layout.backupsDirectory])
      await host.files.cleanLeftovers(each)
  },
  files: (parts) => ({ config: configFile(parts) }),
  steps: (parts) => ({
    writeConfig: writeConfigStep(parts),
    writeFile: writeFileStep(parts),
    switchProgram: switchProgram(parts),
    setServerState: setServerState(parts),
  }),
  verbs: (parts) => {
    const { host, layout, program, tool, socketAddress } = parts
    return {
      layout,
      tool,
      program,
      /** Reads the live configuration. */
      readConfig: async () => (await readLive(host.files, layout.configPath)).text,
      /** Returns the statistics of the running HAProxy; undefined when it does not answer. */
      stats: async (): Promise<readonly StatRow[] | undefined> =>
        parseStats((await program.command(await socketAddress(), 'show stat')) ?? ''),
      /** Returns the status of each server by `<backend>/<server>`; empty when HAProxy does not answer. */
      statuses: async (): Promise<ReadonlyMap<string, string>> =>
        parseStatuses((await program.command(await socketAddress(), 'show stat -1 4 -1')) ?? ''),
      /** The servers that were taken out of service through the socket. */
      states: {
        forced: async () => readForced(program, await socketAddress()),
        /** Sets the state of a server; returns HAProxy's message when it refuses. */
        set: async (wanted: ForcedState) => setState(program, await socketAddress(), wanted),
      },
      /** Returns who listens on a port that is to be added to the running HAProxy. */
      portHolder: (wanted: Parameters<typeof findPortHolder>[1]) => findPortHolder(program, wanted),
      /** Calls back each time HAProxy's processes change, regardless of who started them. */
      watch: (watcher: Watcher) => watchProcesses({ files: host.files, layout, program }, watcher),
      /** The panel's copies of the configuration, and the backup settings. */
      backups: backupFiles(host.files, layout.backupsDirectory),
      certificates: certificateFiles(host.files, layout.certificatesDirectory),
    }
  },
})

export type Haproxy = ReturnType<typeof haproxy.open>

function openParts({ host: panelHost }: Opening, options: HaproxyOptions = {}): HaproxyParts {
  const host = options.host ?? panelHost
  const layout = options.layout ?? debianLayout
  const program = options.program ?? openProgram(host.run, host.files, layout)
  const starter = options.starter ?? startWith(host.services, host.run, layout.service)
  const socketAddress = async () =>
    statsSocketOf(parseConfig((await readLive(host.files, layout.configPath)).text))
  const tool = haproxyTool({ host, layout, program, starter, keep: () => keepStates(program, socketAddress) })
  return { host, layout, program, tool, starter, socketAddress }
}

async function detect({ host, layout, program }: HaproxyParts): Promise<Found> {
  const version = await program.version()
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'HAProxy is not installed' }
  if ((await host.files.facts(layout.configPath)) === undefined)
    return { present: true, version, healthy: false, reason: `${layout.configPath} is missing` }
  return { present: true, version, healthy: true, reason: null }
}
