import type { NginxParts } from './parts.ts'
import type { Found } from '../../core/tool.ts'
import { countPages } from './cached-pages.ts'
import { pruneDeletedLogs } from './deleted-logs.ts'
import { cacheFolder, layoutFor, logDirectory, type NginxLayout, siteNamesIn, sitePathIn } from './layout.ts'
import { readLogTail, type LogTail } from './log-tail.ts'
import { followLog, type LogFollowing } from './follow-log.ts'
import { openRecentLog, type RecentLimits } from './recent-log.ts'
import { hasIpv6, openProgram, type NginxProgram } from './program.ts'
import { type Application, renderApplication } from './render-application.ts'
import { renderGateway, type ServedGateway } from './render-gateway.ts'
import { renderSite } from './render-site.ts'
import type { NginxSite, SiteCache, SiteOptions } from './site.ts'
import { isSetUp, setUpNginx } from './set-up.ts'
import { startWith } from './start.ts'
import { type SiteState, siteStateOf } from '../site-file.ts'
import { findStartObstacle } from '../start-obstacle.ts'
import { type Opening, tool } from '../tool.ts'
import { nginxTool, type NginxStarter } from './tool.ts'
import { type LogPosition, readTraffic } from './traffic.ts'
import { archiveLogs } from './steps/archive-logs.ts'
import { makeLogDirectories } from './steps/make-log-directories.ts'
import { moveLogs } from './steps/move-logs.ts'
import { purgeCache } from './steps/purge-cache.ts'
import { setCacheFolder } from './steps/set-cache-folder.ts'
import { siteFiles } from './steps/write-sites.ts'
import { hashPassword, passwordsPath } from './passwords.ts'
import { accessFiles } from './steps/write-access.ts'
import { writeAccessFile } from './steps/write-access-file.ts'
import { writePasswords } from './steps/write-passwords.ts'
import { writeCertificate } from './steps/write-certificate.ts'
import { certificatePath, renderChallenges } from './render-tls.ts'
import { accessConfigPath } from './access/layout.ts'
import type { SimulatedRequest } from './access/ask.ts'
import type { Replaying } from './access/replay.ts'
import type { AccessRules } from './access/rules.ts'

export { notTaken } from '../../host/apply/problems.ts'
export { type HourOfTraffic, type LogPosition, withPath } from './traffic.ts'
export { challengePath, probeAnswer, probeName } from './render-tls.ts'
export type { AccessReport, SimulatedAccess, SimulatedRequest } from './access/ask.ts'
export { type LoggedRequest, readLoggedRequest } from './access/logged.ts'
export { type CountryFile, readCountryFile } from './access/country-file.ts'
export { encodedRules, readVerdict } from './access/replay.ts'
export { luaFile, rulesFile } from './access/layout.ts'
export { accessLua } from './access/lua/index.ts'
export { type RuledOwner, renderRules } from './access/render-access.ts'
export type { AccessAction, AccessRules } from './access/rules.ts'
export { openParts as openNginxParts }
export type { NginxLayout, NginxProgram, NginxSite, NginxStarter, SiteCache, SiteOptions }

export interface NginxOptions {
  readonly layout?: NginxLayout
  /** A stand-in for the running nginx, for tests of code that depends on it. */
  readonly program?: NginxProgram
  readonly starter?: NginxStarter
}

/** nginx as managed by the panel. */
export const nginx = tool({
  name: 'nginx',
  title: 'nginx',
  packages: ['nginx'],
  service: 'nginx',
  open: openParts,
  detect,
  setUp: setUpNginx,
  /** Removes leftovers, and reloads nginx if it serves an older configuration than the one on disk. */
  reconcile: async (parts) => {
    if ((await detect(parts)).present && (await isSetUp(parts.host.files, parts.layout)))
      await parts.host.reconcile(parts.tool)
  },
  files: (parts) => ({ sites: siteFiles(parts), access: accessFiles(parts) }),
  steps: (parts) => ({
    makeLogDirectories: makeLogDirectories(parts),
    archiveLogs: archiveLogs(parts),
    moveLogs: moveLogs(parts),
    writeCertificate: writeCertificate(parts),
    writePasswords: writePasswords(parts),
    setCacheFolder: setCacheFolder(parts),
    purgeCache: purgeCache(parts),
    writeAccessFile: writeAccessFile(parts),
  }),
  verbs: (parts) => {
    const { host, layout, tool } = parts
    return {
      layout,
      tool,
      passwordsPath: (siteId: number, folder: string) => passwordsPath(layout, siteId, folder),
      hashPassword: (password: string) => hashPassword(host.run, password),
      certificatePath: (file: string) => certificatePath(layout, file),
      sitePath: (domain: string) => sitePathIn(layout, domain),
      renderSite: (site: NginxSite) => renderSite(site, layout),
      renderApplication: (application: Application) => renderApplication(application, layout),
      renderChallenges: (name: string) => renderChallenges(name, layout),
      renderGateway: (gateway: ServedGateway) => renderGateway(gateway, layout),
      /** The file of a site as it is; undefined if there is none. */
      readSite: (domain: string) => host.files.read(sitePathIn(layout, domain)),
      /** Reports if a site's file already has this content, may be written, or was edited manually. */
      stateOf: async (domain: string, content: string): Promise<SiteState> =>
        siteStateOf(await host.files.read(sitePathIn(layout, domain)), content),
      /** Returns why it would not start as it is configured; `without` are domains whose sites are left out. */
      startObstacle: startObstacleOf(parts),
      /** The names of the sites that have a file. */
      siteNames: () => siteNamesIn(host.files, layout),
      /** It serves whatever the panel knows of a site. */
      lacks: (): readonly string[] => [],
      logDirectory: (domain: string) => logDirectory(layout, domain),
      /** True if a site of this name, present or former, has logs. */
      hasLogs: async (domain: string): Promise<boolean> =>
        (await host.files.facts(logDirectory(layout, domain))) !== undefined,
      /** Reads the last lines of a site's log. */
      logTail: (domain: string, wanted: LogTail) =>
        readLogTail(host.files.real(layout.logsDirectory), domain, wanted),
      /** Yields the last lines of a site's log and those to come. */
      followLog: (domain: string, { kind, ...wanted }: Omit<LogTail, 'search'> & LogFollowing) =>
        followLog(host.files.real(`${logDirectory(layout, domain)}/${kind}.log`), wanted),
      /** Sums what was logged for a site since a position. */
      readTraffic: (domain: string, since: LogPosition | null, signal: AbortSignal) =>
        readTraffic(host.files.real(`${logDirectory(layout, domain)}/access.log`), since, signal),
      /** Opens the last lines of a site's access log. */
      openRecentLog: (domain: string, limits: RecentLimits) =>
        openRecentLog(host.files.real(`${logDirectory(layout, domain)}/access.log`), limits),
      ...accessVerbs(parts),
      /** Counts the pages that are kept for a site. */
      countPages: (siteId: number) => countPages(host.files.real(cacheFolder(layout, siteId))),
      /** Removes logs of deleted sites that exceed the maximum age or number. */
      pruneDeletedLogs: (now: Date | undefined) => pruneDeletedLogs(parts, now),
    }
  },
})

const accessVerbs = ({ host, layout, program }: NginxParts) => ({
  /** True if the panel's file that loads access rules is in nginx's configuration. */
  hasAccessConfig: async (): Promise<boolean> =>
    (await host.files.facts(accessConfigPath(layout))) !== undefined,
  /** Asks nginx which access rules it has loaded for an owner; undefined if it does not answer. */
  accessReport: (owner: number) => program.accessReport(owner),
  /** Has nginx evaluate access rules for a request that no visitor makes. */
  simulateAccess: (rules: AccessRules, asked: SimulatedRequest) => program.simulateAccess(rules, asked),
  /** Has nginx evaluate access rules for requests of a log. */
  replayAccess: (replaying: Replaying, signal: AbortSignal) => program.replayAccess(replaying, signal),
})

export type Nginx = ReturnType<typeof nginx.open>

const startObstacleOf =
  ({ layout, program, tool }: NginxParts) =>
  (without: readonly string[]) =>
    findStartObstacle({
      tool,
      addresses: program.addresses,
      without: without.map((domain) => sitePathIn(layout, domain)),
    })

function openParts({ host }: Pick<Opening, 'host'>, options: NginxOptions = {}): NginxParts {
  const layout = options.layout ?? layoutFor(hasIpv6())
  const program = options.program ?? openProgram(host.run, layout)
  const starter = options.starter ?? startWith(host.services)
  return { host, layout, program, starter, tool: nginxTool({ files: host.files, layout, program, starter }) }
}

async function detect({ host, layout, program, tool, starter }: NginxParts): Promise<Found> {
  const version = await program.version()
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'nginx is not installed' }
  const unhealthy = (reason: string) => ({ present: true, version, healthy: false, reason })
  if (!(await isSetUp(host.files, layout))) return unhealthy('nginx is not set up for the panel')
  if ((await program.master()) === undefined) return unhealthy(await whyStopped(starter))
  const wanted = tool.generation.parse((await host.files.read(layout.generationPath)) ?? '')
  if ((await program.served()) !== wanted)
    return unhealthy('nginx serves an older configuration than the one on disk')
  return { present: true, version, healthy: true, reason: null }
}

async function whyStopped(starter: NginxStarter): Promise<string> {
  if (await starter.isReplaced?.()) return 'Apache serves in place of nginx'
  return (await starter.isStoppedOnPurpose()) ? 'nginx was stopped' : 'nginx does not run'
}
