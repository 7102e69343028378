import type { Log } from '../core/endpoint.ts'
import type { Locks } from './locks.ts'

/** A change that has ended on the host while a full disk kept its end from being stored. */
export interface UnsettledChange {
  readonly changeId: number
  /** Its locks and its Idempotency-Key: no other change may hold one of them until this one is settled. */
  readonly names: readonly string[]
  /** Stores how it ended. Called again until it succeeds. */
  readonly finish: () => Promise<void>
  /** The store's error, returned to changes that need one of the names. */
  readonly error: unknown
}

/** The changes that wait until the store accepts writes again. */
export interface Unsettled {
  add(change: UnsettledChange): void
  holds(names: readonly string[]): boolean
  /** Settles as many as the store accepts; throws its error while one of the names is still held. */
  settle(names: readonly string[]): Promise<void>
  /** Tries once more and stops; the next start recovers the rest. */
  close(): Promise<void>
}

interface UnsettledOptions {
  readonly locks: Locks
  readonly log: Log
  readonly retryMs?: number
}

/** Above this number every change is refused, as each keeps its steps in memory. */
const mostUnsettled = 100

/** Opens the list of one executor. It retries every second, and whenever a change begins. */
export function openUnsettled({ locks, log, retryMs = 1000 }: UnsettledOptions): Unsettled {
  const changes = new Map<number, UnsettledChange>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const retry = (): Promise<void> =>
    (running ??= finishAll(changes, locks, log).finally(() => {
      running = undefined
      if (changes.size === 0) stop()
    }))
  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }
  const holderOf = (names: readonly string[]) =>
    [...changes.values()].find((change) => change.names.some((name) => names.includes(name)))
  return {
    add: (change) => {
      changes.set(change.changeId, change)
      timer ??= setInterval(() => void retry(), retryMs).unref()
    },
    holds: (names) => holderOf(names) !== undefined,
    settle: async (names) => {
      if (changes.size === 0) return
      await retry()
      const holder = changes.size < mostUnsettled ? holderOf(names) : changes.values().next().value
      if (holder !== undefined) throw holder.error
    },
    close: async () => {
      stop()
      await retry()
    },
  }
}

async function finishAll(changes: Map<number, UnsettledChange>, locks: Locks, log: Log): Promise<void> {
  for (const change of changes.values()) {
    const { changeId, names, finish } = change
    try {
      await finish()
      locks.touch(names) // a change that was decided meanwhile is decided again
      changes.delete(changeId)
      log.warn({ changeId }, 'the end of a change has been stored late')
    } catch (error) {
      changes.set(changeId, { ...change, error })
    }
  }
}
