import { finalStep } from '../../../core/steps.ts'
import type { BackupParts } from '../step-parts.ts'
import type { SiteName } from '../depot.ts'

interface RemoveArgs extends SiteName {
  readonly name: string
}

/** The step that deletes a backup. */
export const removePoint = ({ depot }: BackupParts) =>
  finalStep({
    name: 'sitebackups.remove',
    plan: ({ name, domain }: RemoveArgs) => ({ title: `Delete the backup ${name} of ${domain}` }),
    why: 'the backup is gone for good',
    act: async (args) => {
      await depot.remove(args, args.name)
      return null
    },
    isDone: async (args) => !(await depot.has(args, args.name)),
  })
