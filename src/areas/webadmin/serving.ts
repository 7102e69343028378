import { type Step, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { Unavailable } from '../../core/problem.ts'
import { from } from '../../core/returned.ts'
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

/** Chooses the version of PHP that runs it: the one that already does if it is installed, otherwise the newest that connects to MariaDB. */
export async function choosePhp({ php }: WebadminArea, former?: string): Promise<string> {
  const versions = await php.versions()
  const connecting: string[] = []
  for (const version of versions)
    if ((await php.iniFiles(version)).some(({ path }) => /\/\d+-mysqli\.ini$/.test(path)))
      connecting.push(version)
  const chosen = connecting.find((version) => version === former) ?? connecting[0]
  if (chosen !== undefined) return chosen
  const [newest] = versions
  if (newest === undefined) throw Unavailable('PHP is not installed: install a version of it first')
  throw Unavailable(`PHP ${newest} cannot connect to MariaDB: install the package php${newest}-mysql first`)
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

/** Returns the step that serves a version of it. */
export function servingStep(
  { tool, nginx, php, certificate }: WebadminArea,
  { alias, port, version, php_version }: Omit<ServedWebadmin, 'id' | 'revision'>,
): Step {
  const content = nginx.renderApplication({
    port,
    alias,
    root: tool.applicationDirectory(version),
    hidden,
    socket: php.socketOf({ id: poolId, version: php_version, username: tool.accountName }),
    certificate,
    bodyMb: limits.uploadMb,
    seconds: limits.seconds,
  })
  return step(nginx.steps.writeSites, { sites: [{ domain: siteName, content }] })
}
