const shortestMs = 5
const longestMs = 40

/**
 * Waits before the next poll: briefly at first, later a tenth of the time since the first poll, so that a
 * slow reload costs few polls.
 */
export function pause(since: number): Promise<void> {
  const waitMs = Math.min(longestMs, Math.max(shortestMs, (performance.now() - since) / 10))
  return new Promise((resolve) => setTimeout(resolve, waitMs))
}
