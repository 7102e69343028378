/** What checks found over a time. */
interface Figures {
  readonly checks: number
  readonly failed: number
  /** Of the successful checks, in milliseconds; 0 without one. */
  readonly average: number
  readonly slowest: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

interface Sample {
  readonly is_ok: number
  readonly response_time: number
}

/** Counts checks, and condenses the response times of those that succeeded. */
export function figuresOf(samples: readonly Sample[]): Figures {
  const times = samples
    .flatMap(({ is_ok, response_time }) => (is_ok === 1 ? [response_time] : []))
    .toSorted((one, other) => one - other)
  const percentile = (part: number) => times[Math.max(0, Math.ceil(times.length * part) - 1)] ?? 0
  const sum = times.reduce((total, time) => total + time, 0)
  return {
    checks: samples.length,
    failed: samples.length - times.length,
    average: times.length === 0 ? 0 : Math.round(sum / times.length),
    slowest: times.at(-1) ?? 0,
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
  }
}

/** The percentage of checks that succeeded; 100 without a check. */
export const availabilityOf = ({ checks, failed }: Pick<Figures, 'checks' | 'failed'>): number =>
  checks === 0 ? 100 : ((checks - failed) / checks) * 100
