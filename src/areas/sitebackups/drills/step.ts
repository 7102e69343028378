import type { StepKind, StepRun } from '../../../core/change.ts'
import type { Store } from '../../../store/store.ts'
import type { BackupParts } from '../step-parts.ts'
import { type DrillResult, recordDrill } from './record.ts'
import { clearDrill, type DrillArgs, rehearseRestore } from './rehearse.ts'
import { drillQueries } from './store.ts'

interface DrillParts extends BackupParts {
  readonly store: Store
}

const kept = 'what a drill has found is no change'

/** The step that restores a backup into scratch, stores what it found, and leaves nothing else. */
export function drillStep(on: DrillParts): StepKind<DrillArgs, null, DrillResult> {
  const { drillOfJob } = drillQueries(on.store)
  const recorded = async ({ job_id, website_id }: DrillArgs): Promise<DrillResult | undefined> => {
    const row = await drillOfJob(job_id, website_id)
    return row && { passed: row.passed === 1, message: row.message }
  }
  return {
    name: 'sitebackups.drill',
    plan: ({ name, domain, source }) => ({
      title: `Restore the backup ${name} of ${domain} into scratch, and compare it with its manifest`,
      details: [source === 's3' ? 'From S3' : 'From this host', 'The website is not touched'],
      irreversible: kept,
    }),
    observe: async () => null,
    act: (args, run) => drill(on, args, run),
    undo: (args) => clearDrill(on, args),
    recover: (args) => clearDrill(on, args),
    check: async (args) => ((await recorded(args)) === undefined ? 'before' : 'wanted'),
    again: recorded,
    notUndone: kept,
  }
}

async function drill(on: DrillParts, args: DrillArgs, run: StepRun<null>): Promise<DrillResult> {
  const { website_id, job_id, username, domain, name: backup, source } = args
  const started_at = new Date().toISOString()
  await clearDrill(on, args)
  const checks = await rehearseRestore(on, args, run).finally(() => clearDrill(on, args))
  const ended_at = new Date().toISOString()
  const about = { website_id, job_id, username, domain, backup, source, started_at, ended_at }
  return recordDrill(on.store, { ...about, checks })
}
