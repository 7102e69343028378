import { AsyncLocalStorage } from 'node:async_hooks'

const deciding = new AsyncLocalStorage<{ isOver: boolean }>()

/**
 * Runs a decision. It may be repeated, or asked for its plan only, so nothing that it calls may write to the
 * store.
 */
export async function withoutEffect<Value>(decide: () => Promise<Value>): Promise<Value> {
  const decision = { isOver: false }
  try {
    return await deciding.run(decision, decide)
  } finally {
    decision.isOver = true // what it opened and left running, such as a warm helper, may write again
  }
}

/** Throws inside a decision. */
export function refuseWithinDecision(): void {
  if (deciding.getStore()?.isOver === false)
    throw new Error('A decision writes to the store: make that a row of the change')
}
