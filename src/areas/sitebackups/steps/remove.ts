import type { StepKind } from '../../../core/change.ts'
import { finalStep } from '../../../core/steps.ts'
import type { BackupParts } from '../step-parts.ts'
import type { SiteName } from '../depot.ts'

interface RemoveArgs extends SiteName {
  readonly name: string
}

/** The step that deletes a backup. A deletion that a kill cut off is completed. */
export function removePoint({ depot }: BackupParts): StepKind<RemoveArgs, null, null> {
  const kind = finalStep({
    name: 'sitebackups.remove',
    plan: ({ name, domain }: RemoveArgs) => ({ title: `Delete the backup ${name} of ${domain}` }),
    why: 'the backup is gone for good',
    act: async (args) => {
      await depot.remove(args, args.name)
      return null
    },
    isDone: async (args) => {
      if (await depot.has(args, args.name)) return false
      return (await depot.hasUnfinished(args, args.name)) ? undefined : true
    },
  })
  return {
    ...kind,
    recover: async (args) => {
      if (!(await depot.has(args, args.name))) await depot.remove(args, args.name)
    },
  }
}
