import { type Change, change, step } from '../../core/change.ts'
import type { LoadedWebsite } from '../websites/index.ts'
import type { Backups } from './context.ts'
import { backupLock } from './locks.ts'
import { FolderExists, PointUnknown } from './problems.ts'
import { archivesOf, dumpsOf, fetchSteps, type Restorable } from './restorable.ts'
import type { RestoreInput } from './restore-input.ts'
import { folderExists, inspectionPath } from './steps/place.ts'
import { exists } from './steps/scratch.ts'

interface Inspecting {
  readonly input: RestoreInput
  readonly restorable: Restorable
  readonly jobId: number
}

/** Restores a backup into a new folder of the home; the website and its databases stay as they are. */
export async function inspect(
  on: Backups,
  site: LoadedWebsite | undefined,
  { input, restorable, jobId }: Inspecting,
): Promise<Change<{ domain: string }>> {
  if (site === undefined) throw PointUnknown(`for_inspection: there is no website ${input.domain}`)
  const { username, domain } = site
  const { point, chain } = restorable
  const { owner } = await on.homeOf(username)
  const target = { username, domain, name: point.name, scratch: `.hostreeve-restore-${jobId}` }
  if (await exists(owner, inspectionPath(target))) throw FolderExists(folderExists(target))
  const dumps = input.restore_database ? dumpsOf(point) : []
  return change({
    summary: `Restore ${point.name} of ${domain} for inspection`,
    locks: [backupLock(site)],
    steps: [
      ...fetchSteps(on, site, restorable),
      step(on.steps.unpack, {
        ...target,
        ...(restorable.isAside && { fetched: String(jobId) }),
        archives: input.restore_files && point.files !== null ? archivesOf(chain) : [],
        dumps: dumps.map((part) => ({ point: point.name, part })),
        passphrase: input.passphrase ?? null,
      }),
      step(on.steps.place, target),
    ],
    reply: { domain },
  })
}
