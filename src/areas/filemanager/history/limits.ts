/** How much of the past is kept for one hosting user. */
export interface HistoryLimits {
  /** On the panel's disk, compressed; beyond it the oldest versions go. */
  readonly quotaBytes: number
  readonly maxAgeDays: number
  /** Of a larger file no content is kept, only that it was replaced. */
  readonly maxFileBytes: number
  readonly maxVersions: number
}

const MiB = 1024 * 1024

/** What holds where the settings say nothing. */
export const defaultLimits: HistoryLimits = {
  quotaBytes: 256 * MiB,
  maxAgeDays: 90,
  maxFileBytes: 8 * MiB,
  maxVersions: 20_000,
}
