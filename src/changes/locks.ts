/** Locks by name, taken in one order so that two changes never deadlock. */
export interface Locks {
  /** A point in time: `changedSince` tells whether a name was released after it. */
  readonly now: () => number
  changedSince(names: readonly string[], mark: number): boolean
  /** Counts as a release of the names: a change that was decided earlier is decided again. */
  touch(names: readonly string[]): void
  /** Waits for all the names while the signal lasts; afterwards the ones acquired so far are released. */
  acquire(names: readonly string[], signal: AbortSignal, jobId?: number): Promise<() => void>
  /** The job that holds one of the names, or waits for it. */
  holderOf(names: readonly string[]): number | undefined
  isFree(names: readonly string[]): boolean
  /** Registers a listener for the release of names. */
  onRelease(listener: () => void): void
}

/** Opens the locks of one process. */
export function openLocks(): Locks {
  const listeners: (() => void)[] = []
  const tell = () => listeners.forEach((listener) => listener())
  const releases = openReleases()
  const lines = openLines(tell)
  const jobs = openHolders()
  return {
    now: releases.now,
    changedSince: releases.changedSince,
    touch: (names) => {
      names.forEach(releases.touch)
      tell()
    },
    holderOf: jobs.of,
    isFree: (names) => !names.some(lines.isTaken),
    onRelease: (listener) => void listeners.push(listener),
    acquire: async (names, signal, jobId) => {
      const held: (() => void)[] = jobId === undefined ? [] : [jobs.add(names, jobId)]
      const release = () => held.toReversed().forEach((each) => each())
      try {
        for (const name of [...new Set(names)].toSorted()) {
          const free = await lines.enter(name, signal)
          held.push(() => (releases.touch(name), free()))
        }
      } catch (error) {
        release()
        throw error
      }
      return release
    },
  }
}

/** The time of the last release of each name. */
function openReleases() {
  const released = new Map<string, number>()
  let clock = 0
  return {
    now: () => clock,
    changedSince: (names: readonly string[], mark: number) =>
      names.some((name) => (released.get(name) ?? 0) > mark),
    touch: (name: string): void => {
      clock += 1
      released.delete(name) // moves it to the end, so that the oldest is forgotten first
      released.set(name, clock)
      if (released.size > 10_000) released.delete(released.keys().next().value as string)
    },
  }
}

/** One queue of waiters for each name. */
function openLines(onEmpty: () => void) {
  const tails = new Map<string, Promise<void>>()
  return {
    isTaken: (name: string): boolean => tails.has(name),
    enter: async (name: string, signal: AbortSignal): Promise<() => void> => {
      const before = tails.get(name)
      const { promise: tail, resolve: free } = Promise.withResolvers<void>()
      const chained = (before ?? Promise.resolve()).then(() => tail)
      tails.set(name, chained)
      void chained.then(() => {
        if (tails.get(name) !== chained) return
        tails.delete(name)
        onEmpty()
      })
      try {
        await within(before, signal)
      } catch (error) {
        free() // the next waiter moves up
        throw error
      }
      return free
    },
  }
}

/** The jobs, or provisional changes, that hold names or wait for them. */
export function openHolders() {
  const holders = new Set<{ readonly id: number; readonly names: readonly string[] }>()
  return {
    add: (names: readonly string[], id: number): (() => void) => {
      const holder = { id, names }
      holders.add(holder)
      return () => void holders.delete(holder)
    },
    of: (names: readonly string[]): number | undefined =>
      [...holders].find((holder) => names.some((name) => holder.names.includes(name)))?.id,
  }
}

async function within(turn: Promise<void> | undefined, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (turn === undefined) return
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = () => reject(signal.reason)
  signal.addEventListener('abort', leave)
  await Promise.race([turn, promise]).finally(() => signal.removeEventListener('abort', leave))
}
