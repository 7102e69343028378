import type { MetricSample } from '../model.ts'

export const everySeconds = 10
export const keptSeconds = 3600
export const keptSamples = keptSeconds / everySeconds

/** The samples of the last hour, the oldest first. */
export interface History {
  add(sample: MetricSample): void
  /** Returns the samples after a time (Unix seconds). */
  since(ts: number): readonly MetricSample[]
}

/**
 * Opens a history. Its times only ascend: a sample removes those that are not before it, which a clock wrote that was
 * set back since, and those that are an hour older.
 */
export function openHistory(): History {
  let samples: readonly MetricSample[] = []
  return {
    add: (sample) => {
      const kept = samples.filter(({ ts }) => ts < sample.ts && ts > sample.ts - keptSeconds)
      samples = [...kept, sample].slice(-keptSamples)
    },
    since: (ts) => samples.filter((sample) => sample.ts > ts),
  }
}
