import type { StepKind } from '../../../core/change.ts'
import { finalStep } from '../../../core/steps.ts'
import { ObjectRetained } from '../../../tools/s3/index.ts'
import type { SiteName } from '../depot.ts'
import type { BackupParts } from '../step-parts.ts'

interface RemoveCopiesArgs extends SiteName {
  readonly names: readonly string[]
  /** True to leave the copies that S3 must keep for now, and to tell which. */
  readonly leavesRetained?: boolean
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
    act: async (args, { signal, progress }) => {
      const kept = await copies.remove(args, args.names, signal)
      if (kept.length === 0) return null
      const told = `S3 keeps ${kept.join(', ')} until the retention ends`
      if (args.leavesRetained !== true) throw ObjectRetained(told)
      progress(null, told)
      return null
    },
    isDone: async (args) => {
      const signal = AbortSignal.timeout(checkMs)
      const states = await Promise.all(args.names.map((name) => copies.stateOf(args, name, signal)))
      if (states.every((state) => state === 'none')) return true
      return states.every((state) => state === 'whole') ? false : undefined
    },
  })
  return {
    ...kind,
    recover: async (args) => {
      await copies.remove(args, args.names, AbortSignal.timeout(checkMs))
    },
  }
}
