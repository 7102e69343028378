import { setTimeout as wait } from 'node:timers/promises'

/** Asks until there is an answer other than undefined, and gives it; rejects, saying what it waited for, after `limitMs`. */
export async function poll<T>(
  awaited: string,
  limitMs: number,
  ask: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = performance.now() + limitMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (performance.now() > deadline) throw new Error(`waited ${limitMs} ms in vain for ${awaited}`)
    await wait(20)
  }
}
