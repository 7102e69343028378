/** Locks by name, taken in one order so that two changes never wait for each other. */
export interface Locks {
  /** A mark of time: `changedSince` tells whether a name was released after it. */
  readonly now: () => number
  changedSince(names: readonly string[], mark: number): boolean
  acquire(names: readonly string[]): Promise<() => void>
}

/** Opens the locks of one process. */
export function openLocks(): Locks {
  const tails = new Map<string, Promise<void>>()
  const released = new Map<string, number>()
  let clock = 0
  const acquireOne = async (name: string): Promise<() => void> => {
    const before = tails.get(name)
    let free = () => {}
    const tail = new Promise<void>((resolve) => (free = resolve))
    const chained = (before ?? Promise.resolve()).then(() => tail)
    tails.set(name, chained)
    await before
    return () => {
      clock += 1
      released.delete(name) // moves it to the end, so that the oldest is forgotten first
      released.set(name, clock)
      if (tails.get(name) === chained) tails.delete(name)
      if (released.size > 10_000) released.delete(released.keys().next().value as string)
      free()
    }
  }
  return {
    now: () => clock,
    changedSince: (names, mark) => names.some((name) => (released.get(name) ?? 0) > mark),
    acquire: async (names) => {
      const held: (() => void)[] = []
      for (const name of [...new Set(names)].toSorted()) held.push(await acquireOne(name))
      return () => held.toReversed().forEach((release) => release())
    },
  }
}
