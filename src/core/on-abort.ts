/**
 * Calls a listener when a signal aborts, at once if it has aborted already: a signal that aborts before the listener is added sends no event.
 * The returned function removes the listener.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted) listener()
  else signal?.addEventListener('abort', listener, { once: true })
  return () => signal?.removeEventListener('abort', listener)
}
