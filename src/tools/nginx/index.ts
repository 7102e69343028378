import type { StepKind } from '../../core/change.ts'
import { mayReplace, stamped } from '../../host/apply/stamp.ts'
import type { Applied, OwnedTool } from '../../host/apply/tool.ts'
import type { Host } from '../../host/index.ts'
import { pruneDeletedLogs } from './deleted-logs.ts'
import { layoutFor, type NginxLayout } from './layout.ts'
import { readLogTail, type LogTail } from './log-tail.ts'
import { hasIpv6, openProgram, type NginxProgram } from './program.ts'
import { renderSite, type NginxSite } from './render-site.ts'
import { isSetUp, setUpNginx, type NginxSetUp } from './set-up.ts'
import { startWith } from './start.ts'
import type { Was } from '../../core/steps.ts'
import type { FileContents } from '../../host/apply/steps.ts'
import { nginxTool, type NginxStarter } from './tool.ts'
import { archiveLogs, type ArchiveLogsArgs, type ArchiveLogsBefore } from './steps/archive-logs.ts'
import { makeLogDirectories } from './steps/make-log-directories.ts'
import { writeSites, type WriteSitesArgs } from './steps/write-sites.ts'

export { notTaken } from '../../host/apply/problems.ts'
export type { NginxLayout, NginxProgram, NginxSetUp, NginxSite, NginxStarter }

/** The detected state of nginx, shown to people and used to disable the features that need it. */
export interface NginxFound {
  readonly present: boolean
  readonly version: string | null
  readonly healthy: boolean
  readonly reason: string | null
}

/** The state of a site's file compared with its wanted content. */
export type SiteState = 'as wanted' | 'to be written' | 'edited by hand'

/** nginx as managed by the panel. */
export interface Nginx {
  readonly layout: NginxLayout
  readonly tool: OwnedTool
  detect(): Promise<NginxFound>
  /** True if the panel's files are in nginx's configuration. */
  isSetUp(): Promise<boolean>
  /** Adds the panel's files to nginx's configuration; may be repeated at any time. */
  setUp(): Promise<NginxSetUp>
  /**
   * Removes leftovers of a killed panel, and reloads nginx if it serves an older configuration than the one
   * on disk.
   */
  reconcile(): Promise<Applied>
  sitePath(domain: string): string
  renderSite(site: NginxSite): string
  /** Reports if a site's file already has this content, may be written, or was edited manually. */
  stateOf(domain: string, content: string): Promise<SiteState>
  /** Reads the last lines of a site's log. */
  logTail(domain: string, wanted: LogTail): Promise<readonly string[]>
  /** Removes logs of deleted sites that exceed the maximum age or number. */
  pruneDeletedLogs(now: Date | undefined): Promise<{ readonly removed: number }>
  readonly writeSites: StepKind<WriteSitesArgs, Was<FileContents>, null>
  readonly makeLogDirectories: ReturnType<typeof makeLogDirectories>
  readonly archiveLogs: StepKind<ArchiveLogsArgs, ArchiveLogsBefore, null>
}

export interface NginxOptions {
  readonly layout?: NginxLayout
  /** A stand-in for the running nginx, for tests of code that depends on it. */
  readonly program?: NginxProgram
  readonly starter?: NginxStarter
}

/** Opens nginx on a host. Nothing is run or written until a method is called. */
export function openNginx(host: Host, options: NginxOptions = {}): Nginx {
  const layout = options.layout ?? layoutFor(hasIpv6())
  const program = options.program ?? openProgram(host.run, layout)
  const starter = options.starter ?? startWith(host.services)
  const tool = nginxTool({ files: host.files, layout, program, starter })
  const parts = { host, layout, program, tool, starter }
  return {
    layout,
    tool,
    detect: () => detect(parts),
    isSetUp: () => isSetUp(host.files, layout),
    setUp: () => setUpNginx(parts),
    reconcile: () => host.reconcile(tool),
    sitePath: (domain) => sitePath(layout, domain),
    renderSite: (site) => renderSite(site, layout),
    stateOf: async (domain, content) =>
      stateOf(await host.files.read(sitePath(layout, domain)), stamped(content)),
    logTail: (domain, wanted) => readLogTail(host.files.real(layout.logsDirectory), domain, wanted),
    writeSites: writeSites(parts),
    makeLogDirectories: makeLogDirectories(parts),
    archiveLogs: archiveLogs(parts),
    pruneDeletedLogs: (now) => pruneDeletedLogs(parts, now),
  }
}

/** The dependencies shared by the parts of this folder. */
export interface NginxParts {
  readonly host: Host
  readonly layout: NginxLayout
  readonly program: NginxProgram
  readonly starter: NginxStarter
  readonly tool: OwnedTool
}

async function detect({ host, layout, program, tool, starter }: NginxParts): Promise<NginxFound> {
  const version = await program.version()
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'nginx is not installed' }
  const unhealthy = (reason: string) => ({ present: true, version, healthy: false, reason })
  if (!(await isSetUp(host.files, layout))) return unhealthy('nginx is not set up for the panel')
  if ((await program.master()) === undefined)
    return unhealthy((await starter.isStoppedOnPurpose()) ? 'nginx was stopped' : 'nginx does not run')
  const wanted = tool.generation.parse((await host.files.read(layout.generationPath)) ?? '')
  if ((await program.served()) !== wanted)
    return unhealthy('nginx serves an older configuration than the one on disk')
  return { present: true, version, healthy: true, reason: null }
}

function stateOf(live: string | undefined, wanted: string): SiteState {
  if (live === wanted) return 'as wanted'
  return mayReplace(live, wanted) ? 'to be written' : 'edited by hand'
}

function sitePath(layout: NginxLayout, domain: string): string {
  return `${layout.sitesDirectory}/${domain}.conf`
}
