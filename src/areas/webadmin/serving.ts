import { type Step, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { Unavailable } from '../../core/problem.ts'
import { from } from '../../core/returned.ts'
import type { WebServer } from '../../tools/web-server.ts'
import type { ServedSites } from '../webserver/index.ts'
import type { WebadminArea } from './context.ts'
import type { ServedWebadmin } from './store.ts'

/** Installations, updates and sign-ins exclude one another. */
export const webadminLock = singleLock('webadmin')

/** Its file among those of websites, and its name in their place. */
const siteName = 'hostreeve-webadmin'
const poolId = 1
const limits = { memoryMb: 256, maxChildren: 5, uploadMb: 512, seconds: 300 }

/** What phpMyAdmin itself keeps from visitors (its manual, "Securing your installation"). */
const hidden = [
  'config.inc.php',
  'libraries',
  'templates',
  'vendor',
  'sql',
  'tmp',
  'setup',
  'examples',
  'test',
]

/** The extensions of PHP that it needs, with the endings of the packages that have them. */
const extensions = { mysqli: 'mysql', mbstring: 'mbstring' } as const

/** Chooses the version of PHP that runs it: the one that already does if it still can, otherwise the newest that can. */
export async function choosePhp({ php }: WebadminArea, former?: string): Promise<string> {
  const versions = await php.versions()
  const lacking = new Map<string, readonly string[]>()
  for (const version of versions) lacking.set(version, await missingPackages({ php }, version))
  const able = versions.filter((version) => lacking.get(version)?.length === 0)
  const chosen = able.find((version) => version === former) ?? able[0]
  if (chosen !== undefined) return chosen
  const [newest] = versions
  if (newest === undefined) throw Unavailable('PHP is not installed: install a version of it first')
  throw Unavailable(
    `PHP ${newest} lacks extensions that phpMyAdmin needs: install ${(lacking.get(newest) ?? []).join(' and ')} first`,
  )
}

async function missingPackages(
  { php }: Pick<WebadminArea, 'php'>,
  version: string,
): Promise<readonly string[]> {
  const files = (await php.iniFiles(version)).map(({ path }) => path)
  return Object.entries(extensions)
    .filter(([name]) => !files.some((path) => path.endsWith(`-${name}.ini`)))
    .map(([, ending]) => `php${version}-${ending}`)
}

/** Returns the steps that make its account, its configuration and its pool. */
export async function runningSteps(
  { tool, php }: WebadminArea,
  version: string,
  secret: string,
): Promise<readonly Step[]> {
  const account = step(tool.steps.makeAccount, null)
  const place = { id: poolId, version, username: tool.accountName }
  const content = php.renderPool({
    ...place,
    ...limits,
    domain: siteName,
    folder: tool.directory,
    iniDigest: await php.iniDigest(version),
    values: [{ name: 'allow_url_fopen', value: '0', isFixed: true }],
  })
  return [
    account,
    step(tool.steps.writeConfiguration, { secret }),
    step(php.steps.setPools, { ...place, uid: from(account, 'uid'), pools: [{ id: poolId, content }] }),
  ]
}

type Served = Omit<ServedWebadmin, 'id' | 'revision'>

/** Returns the step that serves a version of it. */
export const servingStep = (on: WebadminArea, server: WebServer, served: Served): Step =>
  step(server.steps.writeSites, { sites: [siteOf(on, server, served)] })

/** Returns what a switch of the web server renders again. */
export async function servedWebadmin(on: WebadminArea): Promise<ServedSites> {
  const served = await on.queries.served()
  return {
    locks: [webadminLock],
    visits: [],
    obstacles: async (from) => {
      if (served === undefined) return []
      const state = await from.stateOf(siteName, siteOf(on, from, served).content)
      return state === 'edited by hand' ? [{ domain: siteName, reason: 'its file was edited by hand' }] : []
    },
    files: (server) => (served === undefined ? [] : [siteOf(on, server, served)]),
  }
}

function siteOf(
  { tool, php, certificate }: WebadminArea,
  server: WebServer,
  { alias, port, version, php_version }: Served,
) {
  const content = server.renderApplication({
    port,
    alias,
    root: tool.applicationDirectory(version),
    hidden,
    socket: php.socketOf({ id: poolId, version: php_version, username: tool.accountName }),
    certificate,
    bodyMb: limits.uploadMb,
    seconds: limits.seconds,
  })
  return { domain: siteName, content }
}
