/** Counters of dnsdist at a moment of its uptime. */
interface Reading {
  readonly uptime_seconds: number
}

/** Returns how much a counter grows per second between two readings; undefined with less than two of one run of dnsdist. */
export function rateOf<Name extends string>(
  before: (Reading & Readonly<Record<Name, number>>) | undefined,
  now: (Reading & Readonly<Record<Name, number>>) | undefined,
  counter: Name,
): number | undefined {
  if (before === undefined || now === undefined) return undefined
  const seconds = now.uptime_seconds - before.uptime_seconds
  const grown = now[counter] - before[counter]
  return seconds > 0 && grown >= 0 ? grown / seconds : undefined
}
