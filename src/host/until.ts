import { setTimeout as pause } from 'node:timers/promises'

const pollMs = 20

/** Asks until there is an answer or the time is over; undefined in the latter case. */
export async function until<Answer>(
  limitMs: number,
  ask: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const end = performance.now() + limitMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined || performance.now() > end) return answer
    await pause(pollMs)
  }
}
