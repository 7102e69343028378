import { until } from '../../support/until.ts'

/**
 * Polls a real host until the result is neither undefined nor false; rejects after the limit, and names the
 * condition.
 */
export function poll<Answer>(awaited: string, limitMs: number, ask: () => Promise<Answer>) {
  return until(ask, { awaited, limitMs, everyMs: 20 })
}
