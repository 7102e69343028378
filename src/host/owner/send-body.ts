import type { Readable } from 'node:stream'
import type { PendingCall } from './pending.ts'

/** Sends a body. A source that fails cancels the call, so that no part of it stays; the caller receives the source's own error. */
export async function sendBody(
  pending: PendingCall,
  body: Readable | Uint8Array[],
  last?: () => Promise<void>,
): Promise<void> {
  const sent = pending.send(body, last)
  try {
    await Promise.race([sent, pending.outcome])
  } catch (error) {
    pending.cancel()
    await pending.outcome.catch(() => {})
    throw error
  } finally {
    sent.catch(() => {}) // after the outcome the rest of the body is not awaited
  }
}
