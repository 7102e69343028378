const dayMs = 86_400_000

/** What is stored, by its times. */
export interface StoredTimes {
  readonly oldest: string | null | undefined
  /** Of what was stored last: a clock that is ahead of it proves nothing about its age. */
  readonly newest: string | null | undefined
}

/**
 * The time before which rows are deleted by age; undefined where none are. Rows are aged relative to the newest stored time,
 * and the rows of one day are the most that go at once: a wrong clock costs a day of the oldest rows, not the history.
 */
export function pruneLimit(
  now: Date | undefined,
  keptDays: number,
  { oldest, newest }: StoredTimes,
): string | undefined {
  if (now === undefined || !oldest || !newest) return undefined
  const agedMs = Math.min(now.getTime(), Date.parse(newest)) - keptDays * dayMs
  const limit = new Date(Math.min(agedMs, Date.parse(oldest) + dayMs)).toISOString()
  return limit > oldest ? limit : undefined
}
