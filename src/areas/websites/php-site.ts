import { type Step, step } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import { accountOf } from '../users/index.ts'
import type { Websites } from './context.ts'
import { isOwnPhpValue } from './settings.ts'
import type { StoredWebsite } from './store.ts'

/** Returns the steps that give a site the pool of its settings, and those that remove the one it had, to be done last. */
export async function poolSteps(
  on: Websites,
  was: StoredWebsite | undefined,
  next: StoredWebsite | undefined,
): Promise<{ readonly first: readonly Step[]; readonly last: readonly Step[] }> {
  const [former, wanted] = [poolOf(on, was), poolOf(on, next)]
  const site = next ?? was
  if (site === undefined || (former === undefined && wanted === undefined)) return { first: [], last: [] }
  const account = await accountOf(on.users, site.username)
  if (account === undefined && wanted !== undefined)
    throw Unavailable(`The Linux account ${site.username} does not exist on this host`)
  const uid = account?.uid ?? 0
  const { id, username } = site
  const set = (version: string, content: string | null) =>
    step(on.php.steps.set, { id, username, version, uid, content })
  const isMoved = former !== undefined && former.version !== wanted?.version
  return {
    first:
      wanted === undefined || wanted.content === former?.content
        ? []
        : [step(on.folders.makePhp, { username, domain: site.domain }), set(wanted.version, wanted.content)],
    last: isMoved ? [set(former.version, null)] : [],
  }
}

function poolOf({ php }: Websites, site: StoredWebsite | undefined) {
  const version = site?.settings.php_version ?? null
  if (site === undefined || site.type !== 'php' || version === null) return undefined
  const { id, username, domain, root, settings } = site
  const { memory_mb, max_children, upload_mb, execution_seconds } = settings.limits
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
    values: Object.entries(settings.php_settings).map(([name, value]) => ({
      name,
      value,
      isFixed: !isOwnPhpValue(name),
    })),
  })
  return { version, content }
}
