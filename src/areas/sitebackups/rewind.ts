import type { JobDraft, Step, StepKind } from '../../core/change.ts'
import type { Lock } from '../../core/lock.ts'
import { restoredDatabase } from '../databases/index.ts'
import type { LoadedWebsite } from '../websites/index.ts'
import { pointStep } from './back-up.ts'
import { clearUp } from './clear-up.ts'
import type { Backups } from './context.ts'
import type { SiteName } from './depot.ts'
import { backupLock } from './locks.ts'
import type { Manifest } from './manifest.ts'
import { BackupDamaged } from './problems.ts'
import { recordOf } from './record.ts'
import { archivesOf, dumpsOf } from './restorable.ts'
import { safetySet } from './sets.ts'
import { dumpPath, pathsOf, removeAll } from './steps/scratch.ts'
import type { WrittenPoint } from './steps/write-point.ts'

/** A backup to which a change of another area goes back if it fails. */
interface WayBack {
  readonly locks: readonly Lock[]
  /** Makes the backup; its name is that which `rewind` takes. */
  readonly backup: Step<WrittenPoint>
  /** Removes the older backups of this sort. */
  readonly jobs: readonly JobDraft[]
}

interface Asked {
  readonly now: Date
  readonly ownerId: number
}

/** Returns what makes a way back for a change of a website: its files and databases as they are. Fails where they could not be restored. */
export async function wayBack(on: Backups, site: LoadedWebsite, { now, ownerId }: Asked): Promise<WayBack> {
  const { databases } = await recordOf(on, site)
  const restorable = await Promise.all(
    databases.map((described) => restoredDatabase(on.databases, site, described, { id: 0, now })),
  )
  const safety = { name: safetySet, files: true, databases: true, now, isSingle: true }
  return {
    locks: [...new Set([backupLock(site), ...restorable.flatMap(({ locks }) => locks)])],
    backup: await pointStep(on, site, safety),
    jobs: [clearUp(targetOf(site), ownerId)],
  }
}

/** Puts a website back to a backup: databases first, then its folder at once. */
export type Rewind = (site: RewoundSite, point: string) => Promise<void>

interface RewoundSite extends SiteName {
  readonly id: number
}

/** Returns the folders of the home that a rewind which was killed may have left. */
export function rewindFolders(site: RewoundSite): readonly string[] {
  const { preparing, root } = pathsOf(targetOf(site))
  return [preparing, root]
}

const limitMs = 12 * 3_600_000

/** Binds the restore that runs in the undo of a step. It may run twice; a backup that it cannot restore stays under another name. */
export function openRewind(on: Backups): Rewind {
  return async (site, name) => {
    try {
      await restore(on, site, name)
    } catch (error) {
      // a backup that cannot be renamed stays under its name: the first failure is what counts
      await on.depot.rename(site, name, `${name}-kept`).catch(() => {})
      throw error
    }
  }
}

async function restore(on: Backups, site: RewoundSite, name: string): Promise<void> {
  const point = (await on.depot.points(site)).find((each) => each.name === name)
  if (point === undefined) throw BackupDamaged(`The backup ${name} of ${site.domain} is not on this host`)
  const target = targetOf(site)
  const dumps = dumpsOf(point)
  await acted(on.steps.unpack, {
    ...target,
    archives: archivesOf([point]),
    dumps: dumps.map((part) => ({ point: name, part })),
    passphrase: point.encrypted ? ((await on.policies.passphrase()) ?? null) : null,
  })
  for (const [at, { database = '' }] of dumps.entries()) await load(on, target, { point, database, at })
  await acted(on.steps.swap, target)
  await removeAll((await on.homeOf(site.username)).owner, `sites/${target.scratch}`)
}

interface Loading {
  readonly point: Manifest
  readonly database: string
  readonly at: number
}

async function load(
  { databases: { queries, mariadb } }: Backups,
  { username, scratch }: ReturnType<typeof targetOf>,
  { point, database, at }: Loading,
): Promise<void> {
  const row = await queries.named(database)
  const [definer] = row === undefined ? [] : await queries.accountsOf([row.id])
  if (definer === undefined) throw BackupDamaged(`${database} has no user any more`)
  await acted(mariadb.steps.importDatabase, {
    username,
    database,
    file: dumpPath(scratch, at),
    definer: { username: definer.username, host: definer.host },
    label: `back to ${point.name}`,
    replaces: true,
  })
}

const targetOf = ({ username, domain, id }: RewoundSite) => ({
  username,
  domain,
  scratch: `.hostreeve-rewind-${id}`,
})

/** Carries out a step outside of the executor: it runs in an undo, which nothing cancels. */
async function acted<Args, Before, Result>(
  kind: StepKind<Args, Before, Result>,
  args: Args,
): Promise<Result> {
  return kind.act(args, {
    before: await kind.observe(args),
    isJustObserved: true,
    signal: AbortSignal.timeout(limitMs),
    live: undefined,
    token: '',
    progress: () => {},
    output: () => {},
  })
}
