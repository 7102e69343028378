import { RateLimited } from '../../core/problem.ts'

const mostWaiting = 4
const retryAfterSeconds = 2

/** Keeps searches of a large log from taking the panel to themselves. */
export interface SearchQueue {
  /** Runs one search of a caller at a time; the few next ones wait, further ones are refused with `RateLimited`. */
  run<Result>(callerId: number, search: () => Promise<Result>): Promise<Result>
  /** Resolves in a turn of the event loop that no other search of this queue gets: requests are answered in between. */
  turn(): Promise<void>
}

/** Opens a queue in which nobody searches yet. */
export function openSearchQueue(): SearchQueue {
  const lines = new Map<number, { size: number; last: Promise<unknown> }>()
  let lastTurn: Promise<void> = Promise.resolve()
  return {
    run: async (callerId, search) => {
      const line = lines.get(callerId) ?? { size: 0, last: Promise.resolve() }
      if (line.size > mostWaiting) throw tooMany()
      lines.set(callerId, line)
      line.size += 1
      const found = line.last.then(search)
      line.last = found.catch(() => {}) // its own caller learns of it
      try {
        return await found
      } finally {
        line.size -= 1
        if (line.size === 0) lines.delete(callerId)
      }
    },
    turn: () => (lastTurn = lastTurn.then(nextTurn)),
  }
}

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

function tooMany(): Error {
  return RateLimited('Your searches are still running: wait until they end, or narrow them', {
    fields: { retry_after: retryAfterSeconds },
  })
}
