import type { JobRow } from '../../../jobs/tables.ts'
import type { Store } from '../../../store/store.ts'

/** Returns the query on unfinished jobs. */
export function activeJobQueries({ db }: Store) {
  return {
    /** Lists queued and running jobs of these kinds, oldest first; only those of one user if `ownerId` is given. */
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

export type ActiveJobQueries = ReturnType<typeof activeJobQueries>
