const shortestMs = 5
const longestMs = 40

/** Waits before the next look: shortly at first, and a tenth of what went by since the first look later on, so that a slow reload costs few looks. */
export function pause(since: number): Promise<void> {
  const waitMs = Math.min(longestMs, Math.max(shortestMs, (performance.now() - since) / 10))
  return new Promise((resolve) => setTimeout(resolve, waitMs))
}
