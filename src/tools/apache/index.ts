import type { Found } from '../../core/tool.ts'
import { siteNamesIn } from '../nginx/layout.ts'
import type { Application } from '../nginx/render-application.ts'
import type { NginxSite } from '../nginx/site.ts'
import { siteStateOf } from '../site-file.ts'
import { findStartObstacle } from '../start-obstacle.ts'
import { type Opening, tool } from '../tool.ts'
import type { Visit } from '../site-client.ts'
import { lacks } from './lacks.ts'
import { type ApacheLayout, debianLayout, sitePathIn } from './layout.ts'
import type { ApacheParts } from './parts.ts'
import { type ApacheProgram, openProgram } from './program.ts'
import { renderApplication } from './render-application.ts'
import { renderChallenges } from './render-challenges.ts'
import { renderSite } from './render-site.ts'
import { isSetUp, setUpApache } from './set-up.ts'
import { startWith } from './start.ts'
import { siteFiles } from './steps/write-sites.ts'
import { type ApacheStarter, apacheTool } from './tool.ts'

export { missingInApache } from './lacks.ts'

interface ApacheOptions {
  readonly layout?: ApacheLayout
  /** A stand-in for the running Apache, for tests of code that depends on it. */
  readonly program?: ApacheProgram
  readonly starter?: ApacheStarter
}

/** Apache as managed by the panel: a second web server, with the certificates, passwords and logs of nginx's tool. */
export const apache = tool({
  name: 'apache',
  title: 'Apache',
  packages: ['apache2'],
  service: 'apache2',
  open: openParts,
  detect,
  setUp: setUpApache,
  /** Removes leftovers, and reloads Apache if it serves an older configuration than the one on disk. */
  reconcile: async (parts) => {
    if ((await detect(parts)).present && (await isSetUp(parts.host.files, parts.layout)))
      await parts.host.reconcile(parts.tool)
  },
  files: (parts) => ({ sites: siteFiles(parts) }),
  verbs: ({ host: { files }, layout, program, tool }) => ({
    layout,
    tool,
    renderSite: (site: NginxSite) => renderSite(site, layout),
    renderApplication: (application: Application) => renderApplication(application, layout),
    renderChallenges: (name: string) => renderChallenges(name, layout),
    /** The file of a site as it is; undefined if there is none. */
    readSite: (domain: string) => files.read(sitePathIn(layout, domain)),
    /** Reports if a site's file already has this content, may be written, or was edited manually. */
    stateOf: async (domain: string, content: string) =>
      siteStateOf(await files.read(sitePathIn(layout, domain)), content),
    /** Returns why it would not start as it is configured; `without` are domains whose sites are left out. */
    startObstacle: (without: readonly string[]) =>
      findStartObstacle({
        tool,
        addresses: program.addresses,
        without: without.map((domain) => sitePathIn(layout, domain)),
      }),
    /** The names of the sites that have a file. */
    siteNames: () => siteNamesIn(files, layout),
    lacks,
    /** Fetches websites from this host, whichever web server serves them. */
    visit: (visits: readonly Visit[]) => program.visit(visits),
  }),
})

function openParts({ host }: Pick<Opening, 'host'>, options: ApacheOptions = {}): ApacheParts {
  const layout = options.layout ?? debianLayout
  const program = options.program ?? openProgram(host, layout)
  const starter = options.starter ?? startWith(host.services)
  return {
    host,
    layout,
    program,
    starter,
    tool: apacheTool({ files: host.files, layout, program, starter }),
  }
}

async function detect({ host, layout, program, tool, starter }: ApacheParts): Promise<Found> {
  const version = await program.version()
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'Apache is not installed' }
  const unhealthy = (reason: string) => ({ present: true, version, healthy: false, reason })
  if (!(await isSetUp(host.files, layout))) return unhealthy('Apache is not set up for the panel')
  if (!(await program.isRunning())) return unhealthy(await whyStopped(starter))
  const wanted = tool.generation.parse((await host.files.read(layout.generationPath)) ?? '')
  if ((await program.served()) !== wanted)
    return unhealthy('Apache serves an older configuration than the one on disk')
  return { present: true, version, healthy: true, reason: null }
}

async function whyStopped(starter: ApacheStarter): Promise<string> {
  if (await starter.isReplaced()) return 'nginx serves in place of Apache'
  return (await starter.isStoppedOnPurpose()) ? 'Apache was stopped' : 'Apache does not run'
}
