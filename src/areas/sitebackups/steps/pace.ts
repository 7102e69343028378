/** Returns how long a stream waits that has passed on so many bytes in a time; a rate of 0 is no limit. */
export const pauseMs = (bytes: number, passedMs: number, bytesPerSecond: number): number =>
  bytesPerSecond === 0 ? 0 : Math.max(0, (bytes / bytesPerSecond) * 1000 - passedMs)
