const shortestMs = 5
const longestMs = 40

/**
 * Time between two polls of HAProxy: brief at first, later a tenth of the elapsed time, so that a slow reload
 * costs few polls.
 */
export function pollIntervalMs(elapsedMs: number): number {
  return Math.min(longestMs, Math.max(shortestMs, elapsedMs / 10))
}
