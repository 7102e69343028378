import type { Log } from '../core/endpoint.ts'
import type { Locks } from './locks.ts'

/** A change that is over on the host, and whose end the store did not take: its disk is full. */
export interface UnsettledChange {
  readonly changeId: number
  /** Its locks and its Idempotency-Key: no other change may hold one of them until this one is settled. */
  readonly names: readonly string[]
  /** Stores how it ended. Called again until it succeeds. */
  readonly finish: () => Promise<void>
  /** The store's refusal, answered to the changes that need one of the names. */
  readonly error: unknown
}

/** The changes that wait for the store to take writes again. */
export interface Unsettled {
  add(change: UnsettledChange): void
  holds(names: readonly string[]): boolean
  /** Settles all that the store takes now; throws its refusal while one of the names is still held. */
  settle(names: readonly string[]): Promise<void>
  /** Tries once more, then no longer: the next start recovers what is left. */
  close(): Promise<void>
}

interface UnsettledOptions {
  readonly locks: Locks
  readonly log: Log
  readonly retryMs?: number
}

/** More of them refuse every change: each keeps its steps in memory. */
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
      locks.touch(names) // a change that was decided while they were held is decided again
      changes.delete(changeId)
      log.warn({ changeId }, 'the end of a change has been stored late')
    } catch (error) {
      changes.set(changeId, { ...change, error })
    }
  }
}
