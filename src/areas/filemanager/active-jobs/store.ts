import type { JobRow } from '../../../jobs/tables.ts'
import type { Store } from '../../../store/store.ts'

/** The query on jobs that are not over. */
export function activeJobQueries({ db }: Store) {
  return {
    /** Jobs of these kinds that wait or run, oldest first; of one user where that is said. */
    unfinished: (
      kinds: readonly string[],
      ownerId: number | undefined,
      limit: number,
    ): Promise<readonly JobRow[]> => {
      let rows = db
        .selectFrom('jobs')
        .selectAll()
        .where('state', 'in', ['queued', 'running'])
        .where('kind', 'in', kinds)
      if (ownerId !== undefined) rows = rows.where('owner_id', '=', ownerId)
      return rows.orderBy('id').limit(limit).execute()
    },
  }
}
