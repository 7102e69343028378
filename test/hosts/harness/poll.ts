import { hangMs, until } from '../../support/until.ts'

/**
 * Polls a real host until the result is neither undefined nor false; rejects after the limit, and names the condition. A limit
 * below the hang limit is raised to it: a busy machine is slow, not wrong.
 */
export function poll<Answer>(awaited: string, limitMs: number, ask: () => Promise<Answer>) {
  return until(ask, { awaited, limitMs: Math.max(limitMs, hangMs), everyMs: 20 })
}
