import { finalStep } from '../../../core/steps.ts'
import type { SiteName } from '../depot.ts'
import type { BackupParts } from '../step-parts.ts'

interface RemoveCopiesArgs extends SiteName {
  readonly names: readonly string[]
}

const checkMs = 30_000

/** The step that deletes the copies of backups on S3. */
export function removeCopies({ copies }: BackupParts) {
  return finalStep({
    name: 'sitebackups.remove-copies',
    plan: ({ names, domain }: RemoveCopiesArgs) => ({
      title: `Delete ${names.length === 1 ? 'a copy' : `${names.length} copies`} of backups of ${domain} on S3`,
      details: [...names],
    }),
    why: 'the copies are gone for good',
    act: async (args, { signal }) => {
      await copies.remove(args, args.names, signal)
      return null
    },
    isDone: async (args) => {
      const points = await copies.points(args, AbortSignal.timeout(checkMs)).catch(() => undefined) // unknown while S3 does not answer
      return points?.every(({ name }) => !args.names.includes(name))
    },
  })
}
