/** Waits for a turn; gives what ends it. */
export type TakeTurn = (signal: AbortSignal) => Promise<() => void>

/** Lets only so many work at once and the others wait in their order; whoever does not wait any more keeps nobody else waiting. */
export function limitLookups(most: number): TakeTurn {
  let running = 0
  const waiting = new Set<() => void>()
  const leave = () => {
    const [next] = waiting
    if (next === undefined) running--
    else next() // who waits takes the place over
  }
  return async (signal) => {
    signal.throwIfAborted()
    if (running < most) running++
    else await called(waiting, signal)
    return leave
  }
}

function called(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      waiting.delete(call)
      signal.removeEventListener('abort', giveUp)
      settle()
    }
    const call = () => end(resolve)
    const giveUp = () => end(() => reject(signal.reason as Error))
    waiting.add(call)
    signal.addEventListener('abort', giveUp, { once: true })
  })
}
