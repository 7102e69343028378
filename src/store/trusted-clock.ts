const toleranceMs = 3_600_000
const longestDowntimeMs = 86_400_000
const settlingMs = 20 * 3_600_000

export interface ClockOptions {
  /** When the store was last written before this process; undefined for a new one. */
  readonly lastWrittenMs?: number | undefined
  readonly wallMs?: () => number
  readonly elapsedMs?: () => number
}

/**
 * The time of day for deleting by age; undefined while it may be wrong. A clock that was set forward more than an hour, or
 * that is more than a day ahead of the last write at the start, is trusted after it has run for 20 hours.
 */
export function openTrustedClock({
  lastWrittenMs,
  wallMs = Date.now,
  elapsedMs = () => performance.now(),
}: ClockOptions = {}): () => Date | undefined {
  let offsetMs = wallMs() - elapsedMs()
  let trustedFromMs =
    lastWrittenMs !== undefined && wallMs() > lastWrittenMs + longestDowntimeMs
      ? elapsedMs() + settlingMs
      : -Infinity
  return () => {
    const [now, elapsed] = [wallMs(), elapsedMs()]
    if (now - elapsed > offsetMs + toleranceMs) trustedFromMs = elapsed + settlingMs
    offsetMs = now - elapsed
    return elapsed >= trustedFromMs ? new Date(now) : undefined
  }
}
