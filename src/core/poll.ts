import { setTimeout as delay } from 'node:timers/promises'

/** The time limit and interval of repeated attempts. */
export interface Polling {
  readonly limitMs: number
  /** Time between two attempts, in milliseconds, or computed from the time since the first one. */
  readonly everyMs: number | ((elapsedMs: number) => number)
  /** Ends the polling early. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Repeats an attempt until it returns a value. Returns undefined when the limit has passed or the signal has
 * ended; the attempt is made at least once, and what it throws is passed on.
 */
export async function poll<Answer>(
  attempt: () => Promise<Answer | undefined>,
  { limitMs, everyMs, signal }: Polling,
): Promise<Answer | undefined> {
  const startedAt = performance.now()
  for (;;) {
    const answer = await attempt()
    const elapsedMs = performance.now() - startedAt
    if (answer !== undefined || elapsedMs >= limitMs || signal?.aborted) return answer
    await pause(typeof everyMs === 'number' ? everyMs : everyMs(elapsedMs), signal)
    if (signal?.aborted) return undefined
  }
}

/** Resolves after a time, or as soon as the signal ends. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal })
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}
