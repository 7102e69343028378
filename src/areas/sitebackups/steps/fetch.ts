import type { StepKind } from '../../../core/change.ts'
import type { SiteName } from '../depot.ts'
import type { BackupParts } from '../step-parts.ts'

interface FetchArgs extends SiteName {
  /** From the full one on. */
  readonly names: readonly string[]
}

interface FetchBefore {
  /** The backups that this host has already. */
  readonly present: readonly string[]
}

/** The step that fetches backups from S3, which are backups of this host from then on. */
export function fetchPoints({ depot, copies }: BackupParts): StepKind<FetchArgs, FetchBefore, null> {
  const missing = ({ names }: FetchArgs, { present }: FetchBefore) =>
    names.filter((name) => !present.includes(name))
  return {
    name: 'sitebackups.fetch',
    plan: ({ names, domain }) => ({
      title: `Fetch ${names.length === 1 ? 'a backup' : `${names.length} backups`} of ${domain} from S3`,
      details: [...names],
    }),
    observe: async (args) => {
      const present = []
      for (const name of args.names) if (await depot.has(args, name)) present.push(name)
      return { present }
    },
    act: async (args, { before, signal, progress }) => {
      for (const name of missing(args, before)) {
        if (await depot.has(args, name)) continue
        progress(null, `Fetching ${name} from S3`)
        await copies.fetch(depot, args, name, signal)
      }
      return null
    },
    undo: async (args, before) => {
      for (const name of missing(args, before).toReversed()) await depot.remove(args, name)
    },
    notUndone: 'later backups may continue them: delete them instead',
    check: async (args, before) => {
      const wanted = missing(args, before)
      const found = []
      for (const name of wanted) {
        if (await depot.hasUnfinished(args, name)) return 'other'
        if (await depot.has(args, name)) found.push(name)
      }
      if (found.length === wanted.length) return 'wanted'
      return found.length === 0 ? 'before' : 'other'
    },
  }
}
