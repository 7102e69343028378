/** Limits of the history of one hosting user. */
export interface HistoryLimits {
  /** Compressed size on the panel's disk; the oldest versions beyond it are deleted. */
  readonly quotaBytes: number
  readonly maxAgeDays: number
  /** For a larger file only the replacement is recorded, without its content. */
  readonly maxFileBytes: number
  readonly maxVersions: number
}

const MiB = 1024 * 1024

/** The limits if the settings contain none. */
export const defaultLimits: HistoryLimits = {
  quotaBytes: 256 * MiB,
  maxAgeDays: 90,
  maxFileBytes: 8 * MiB,
  maxVersions: 20_000,
}
