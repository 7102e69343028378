import { integer, json } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { type RowOf, table } from '../../store/table.ts'
import { keptSeconds } from './metrics/history.ts'
import { MetricSample } from './model.ts'

export const metricSamples = table('metric_samples', {
  /** Unix seconds. */
  ts: integer({ key: true }),
  sample: json(MetricSample),
})

declare module '../../store/tables.ts' {
  interface Tables {
    readonly metric_samples: RowOf<typeof metricSamples>
  }
}

/** Returns this area's queries: the samples of the last hour, so that they survive a restart. */
export function sampleQueries(store: Store) {
  return {
    /** Returns the samples of the hour before a time (Unix seconds), the oldest first. */
    load: async (now: number): Promise<MetricSample[]> => {
      const rows = store.db.selectFrom('metric_samples').selectAll().orderBy('ts')
      const kept = rows.where('ts', '>', now - keptSeconds).where('ts', '<=', now)
      return (await kept.execute()).map((row) => metricSamples.columns.sample.decode(row.sample))
    },
    /**
     * Adds samples, the oldest first, to those until a time; deletes later ones, which a clock wrote that was ahead, and
     * those that are an hour older.
     */
    append: (samples: readonly MetricSample[], until: number): Promise<void> =>
      store.transaction(async (tx) => {
        const last = samples.at(-1)
        if (last === undefined) return
        await tx
          .deleteFrom('metric_samples')
          .where(({ eb, or }) => or([eb('ts', '<=', last.ts - keptSeconds), eb('ts', '>', until)]))
          .execute()
        const rows = samples.map((sample) => metricSamples.row({ ts: sample.ts, sample }))
        await tx.insertInto('metric_samples').values(rows).execute()
      }),
  }
}

export type SampleQueries = ReturnType<typeof sampleQueries>
