/** The processes of a HAProxy under a master, as listed by `show proc`. */
export interface Processes {
  readonly master: number
  readonly reloads: number
  /** The number of failed reloads since the last successful one. */
  readonly failed: number
  readonly workers: readonly number[]
}

/** Parses the answer to `show proc`; undefined if it is not such an answer. */
export function parseProcesses(text: string): Processes | undefined {
  const master = /^(\d+)\s+master\s+(\d+)(?:\s+\[failed: (\d+)\])?/m.exec(text)
  if (master === null) return undefined
  const current = /^# workers\n((?:\d+\s.*\n?)*)/m.exec(text)?.[1] ?? ''
  const workers = [...current.matchAll(/^(\d+)\s+worker/gm)].map((found) => Number(found[1]))
  return { master: Number(master[1]), reloads: Number(master[2]), failed: Number(master[3] ?? 0), workers }
}
