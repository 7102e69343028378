import type { StepKind } from '../../../core/change.ts'
import { finalStep } from '../../../core/steps.ts'
import type { SiteName } from '../depot.ts'
import type { BackupParts } from '../step-parts.ts'

interface RemoveCopiesArgs extends SiteName {
  readonly names: readonly string[]
}

const checkMs = 30_000

/** The step that deletes the copies of backups on S3. A deletion that a kill cut off is completed. */
export function removeCopies({ copies }: BackupParts): StepKind<RemoveCopiesArgs, null, null> {
  const kind = finalStep({
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
      const signal = AbortSignal.timeout(checkMs)
      const states = await Promise.all(args.names.map((name) => copies.stateOf(args, name, signal)))
      if (states.every((state) => state === 'none')) return true
      return states.every((state) => state === 'whole') ? false : undefined
    },
  })
  return { ...kind, recover: (args) => copies.remove(args, args.names, AbortSignal.timeout(checkMs)) }
}
