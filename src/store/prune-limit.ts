const dayMs = 86_400_000

/** The times of the stored rows. */
export interface StoredTimes {
  readonly oldest: string | null | undefined
  /** The time of the last write: a clock that is ahead of it proves nothing about its age. */
  readonly newest: string | null | undefined
}

/**
 * The time before which rows are deleted by age; undefined if none are. The age is relative to the newest stored time,
 * and at most the rows of one day are deleted at once: a wrong clock costs a day of the oldest rows, not the history.
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
