import { finalStep } from '../../../core/steps.ts'
import type { BackupParts } from '../step-parts.ts'
import type { SiteName } from '../depot.ts'
import { type Retention, surplusOf } from '../manifest.ts'

interface PruneArgs extends SiteName, Retention {
  readonly set: string
}

/**
 * The step that removes the backups of a set beyond the number and the age to keep, but none that a kept one needs.
 * A kill must not leave it half done: the change would take back the backup that replaces those removed.
 */
export function pruneSet({ depot }: BackupParts) {
  const surplus = async (args: PruneArgs) =>
    surplusOf(
      (await depot.points(args)).filter(({ set }) => set === args.set),
      args,
    )
  const prune = async (args: PruneArgs) => {
    for (const { name } of (await surplus(args)).toReversed()) await depot.remove(args, name)
    await depot.removeUnfinished(args)
  }
  const kind = finalStep({
    name: 'sitebackups.prune',
    plan: ({ set, keep, before, domain }: PruneArgs) => ({
      title: `Keep the newest ${keep} backups of the set ${set} of ${domain}, and what they need`,
      details: before === undefined ? [] : [`Those made before ${before} are not kept, but for the newest`],
    }),
    why: 'older backups are gone for good',
    act: async (args) => {
      await prune(args)
      return null
    },
    isDone: async (args) => (await surplus(args)).length === 0,
  })
  return { ...kind, recover: prune }
}
