import { until } from '../../support/until.ts'

/** Asks a real host until the answer is neither undefined nor false; rejects after the limit, and names what it awaited. */
export function poll<Answer>(awaited: string, limitMs: number, ask: () => Promise<Answer>) {
  return until(ask, { awaited, limitMs, everyMs: 20 })
}
