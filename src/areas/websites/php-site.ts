import { type Step, step } from '../../core/change.ts'
import { lock, type Lock } from '../../core/lock.ts'
import { point } from '../../core/point.ts'
import { Unavailable } from '../../core/problem.ts'
import { accountOf } from '../users/index.ts'
import type { Websites } from './context.ts'
import { isOwnPhpValue } from './settings.ts'
import { locksOf } from './site.ts'
import type { StoredWebsite } from './store.ts'

/** A version of PHP that a website begins to use, or that is installed or removed. */
export const phpVersionLock = lock('php')

/** Returns the lock of the version that a website begins to use, if it does. */
export const versionLocks = (was: StoredWebsite | undefined, next: StoredWebsite): readonly Lock[] => {
  const version = next.settings.php_version
  return version === null || version === was?.settings.php_version ? [] : [phpVersionLock(version)]
}

/** What the PHP of all websites may not do. */
export interface PhpRules {
  /** The functions that PHP does not have. */
  readonly functionsOf: (siteId: number) => readonly string[]
  /** The directives that neither the website nor its scripts can change. */
  readonly settingsOf: (siteId: number) => Readonly<Record<string, string>>
}

/** Returns the rules as they are stored; an area has them. */
export const phpRules = point<() => Promise<PhpRules>>('rules of PHP')

const without: PhpRules = { functionsOf: () => [], settingsOf: () => ({}) }

const rulesOf = async ({ partsOf }: Pick<Websites, 'partsOf'>): Promise<PhpRules> =>
  (await partsOf(phpRules)[0]?.()) ?? without

/** Returns the steps that give a site the pool of its settings, and those that remove the one it had, to be done last. */
export async function poolSteps(
  on: Websites,
  was: StoredWebsite | undefined,
  next: StoredWebsite | undefined,
): Promise<{ readonly first: readonly Step[]; readonly last: readonly Step[] }> {
  const rules = await rulesOf(on)
  const [former, wanted] = [await poolOf(on, was, rules), await poolOf(on, next, rules)]
  const set = async ({ site, version }: Pool, content: string | null) =>
    step(on.php.steps.setPools, {
      version,
      username: site.username,
      uid: await uidOf(on, site, content !== null),
      pools: [{ id: site.id, content }],
    })
  const isMoved =
    former !== undefined &&
    (former.version !== wanted?.version || former.site.username !== wanted.site.username)
  return {
    first:
      wanted === undefined || (!isMoved && wanted.content === former?.content)
        ? []
        : [makePhp(on, wanted.site), await set(wanted, wanted.content)],
    last: isMoved ? [await set(former, null)] : [],
  }
}

const makePhp = ({ folders }: Websites, { username, domain }: StoredWebsite) =>
  step(folders.makePhp, { username, domain })

async function uidOf({ users }: Websites, { username }: StoredWebsite, isNeeded: boolean): Promise<number> {
  const account = await accountOf(users, username)
  if (account === undefined && isNeeded)
    throw Unavailable(`The Linux account ${username} does not exist on this host`)
  return account?.uid ?? 0
}

interface Renewal {
  /** Instead of those that are stored. */
  readonly rules?: PhpRules
  /** Values that php.ini of one version will have. */
  readonly ini?: { readonly version: string; readonly settings: Readonly<Record<string, string>> }
}

/** Returns the steps that render the pools of all sites again, those of one version or of all that are installed, with one reload of each master. */
export async function renewedPools(
  on: Websites,
  { rules, ini }: Renewal,
): Promise<{ readonly steps: readonly Step[]; readonly locks: readonly Lock[] }> {
  const applied = rules ?? (await rulesOf(on))
  const versions = ini === undefined ? await on.php.versions() : [ini.version]
  const pools: Pool[] = []
  for (const site of await on.queries.all()) {
    const pool = await poolOf(on, site, applied, ini)
    if (pool !== undefined && versions.includes(pool.version)) pools.push(pool)
  }
  const masters = Map.groupBy(pools, ({ version, site }) => `${site.username} ${version}`)
  const steps: Step[] = []
  for (const own of masters.values()) {
    const { version, site } = own[0]!
    const account = await accountOf(on.users, site.username)
    if (account === undefined) continue // it has neither a master nor processes
    const { uid } = account
    const contents = own.map((pool) => ({ id: pool.site.id, content: pool.content }))
    steps.push(step(on.php.steps.setPools, { version, username: site.username, uid, pools: contents }))
  }
  return { steps, locks: locksOf(pools.map(({ site }) => site.domain)) }
}

interface Pool {
  readonly site: StoredWebsite
  readonly version: string
  readonly content: string
}

async function poolOf(
  { php }: Websites,
  site: StoredWebsite | undefined,
  { functionsOf, settingsOf }: PhpRules,
  ini?: Renewal['ini'],
): Promise<Pool | undefined> {
  const version = site?.settings.php_version ?? null
  if (site === undefined || site.type !== 'php' || version === null) return undefined
  const { id, username, domain, root, settings } = site
  const { memory_mb, max_children, upload_mb, execution_seconds } = settings.limits
  const { disable_functions: ownFunctions, ...ownSettings } = settings.php_settings
  const functions = [...functionsOf(id), ...(ownFunctions === undefined ? [] : [ownFunctions])]
  const rules: Readonly<Record<string, string>> = {
    ...settingsOf(id),
    ...(functions.length > 0 && { disable_functions: functions.join(',') }),
  }
  const own = Object.entries(ownSettings).filter(([name]) => !Object.hasOwn(rules, name))
  const content = php.renderPool({
    id,
    username,
    domain,
    version,
    folder: root.replace(/\/public$/, ''),
    memoryMb: memory_mb,
    maxChildren: max_children,
    uploadMb: upload_mb,
    seconds: execution_seconds,
    iniDigest: await php.iniDigest(version, ini?.version === version ? ini.settings : {}),
    values: [
      ...own.map(([name, value]) => ({ name, value, isFixed: !isOwnPhpValue(name) })),
      ...Object.entries(rules).map(([name, value]) => ({ name, value, isFixed: true })),
    ],
  })
  return { site, version, content }
}

/** Returns the websites of type php, with the version that each uses. */
export async function phpSites({ queries }: Websites) {
  const sites = (await queries.all()).filter(({ type }) => type === 'php')
  return sites.map(({ id, domain, settings }) => ({ id, domain, version: settings.php_version }))
}
