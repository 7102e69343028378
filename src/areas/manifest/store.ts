import type { RowWrite, Step } from '../../core/change.ts'
import { from } from '../../core/returned.ts'
import { integer, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { type RowOf, table } from '../../store/table.ts'
import type { Left } from './remove-together.ts'

/** What the servers refused to remove for manifests that succeeded, by the job of each. */
export const leftovers = table('manifest_leftovers', {
  job_id: integer({ key: true }),
  message: text(4000),
  created_at: time(),
})
export type LeftoverRow = RowOf<typeof leftovers>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly manifest_leftovers: LeftoverRow
  }
}

/**
 * Returns the writes that keep what a removal leaves: they are made with the end of its change, also after a kill. A decision cannot
 * know whether anything is left, so that an empty row goes again at once.
 */
export function leftoverWrites(removal: Step<Left>, jobId: number, now: Date): readonly RowWrite[] {
  const row = leftovers.row({
    job_id: jobId,
    message: from(removal, 'message'),
    created_at: now.toISOString(),
  })
  return [leftovers.insert(row), leftovers.delete({ message: '' })]
}

const most = 100

/** Returns this area's queries. */
export const leftoverQueries = ({ db }: Pick<Store, 'db'>) => ({
  /** The newest, the oldest of them first. */
  newest: async (): Promise<readonly LeftoverRow[]> =>
    (
      await db.selectFrom('manifest_leftovers').selectAll().orderBy('job_id', 'desc').limit(most).execute()
    ).toReversed(),
})

export type LeftoverQueries = ReturnType<typeof leftoverQueries>
