import { Unauthorized } from '../../core/problem.ts'
import type { Store } from '../../store/store.ts'

/** The calls that run, which end with their key. */
export interface RunningCalls {
  /** Returns a signal that ends with the key or with the request; release it when the call is over. */
  hold(keyId: number, request: AbortSignal): { readonly signal: AbortSignal; release(): void }
}

/** Opens the running calls. `isValid` tells from the store whether a key still admits. */
export function openRunningCalls(
  { onWritten }: Pick<Store, 'onWritten'>,
  isValid: (keyId: number) => Promise<boolean>,
): RunningCalls {
  const held = new Map<AbortController, number>()
  const end = (keyId: number, reason: unknown) => {
    for (const [abort, id] of held) if (id === keyId) abort.abort(reason)
  }
  /** A key that cannot be checked ends too. */
  const review = (keyId: number) =>
    isValid(keyId).then(
      (valid) => (valid ? undefined : end(keyId, Unauthorized('The key has ended'))),
      (error) => end(keyId, error),
    )
  onWritten(['mcp_keys', 'users'], () => Promise.all([...new Set(held.values())].map(review)))
  return {
    hold: (keyId, request) => {
      const abort = new AbortController()
      held.set(abort, keyId)
      return {
        signal: AbortSignal.any([abort.signal, request]),
        release: () => void held.delete(abort),
      }
    },
  }
}
