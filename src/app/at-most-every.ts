/**
 * Limits how often a check runs, whoever asks: within `everyMs` of its start, its outcome is the answer. The clock
 * is in milliseconds and never goes back.
 */
export function atMostEvery<Value>(
  everyMs: number,
  check: () => Promise<Value>,
  clock: () => number = () => performance.now(),
): () => Promise<Value> {
  let last: { readonly startedAt: number; readonly outcome: Promise<Value> } | undefined
  return () => {
    const now = clock()
    if (last === undefined || now - last.startedAt >= everyMs) last = { startedAt: now, outcome: check() }
    return last.outcome
  }
}
