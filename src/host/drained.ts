import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** Waits until a stream takes more, or is closed or destroyed; no listener stays at the stream. */
export async function drained(stream: Writable): Promise<void> {
  if (stream.destroyed || !stream.writableNeedDrain) return
  const waiting = new AbortController()
  const { signal } = waiting
  const events = [once(stream, 'drain', { signal }), once(stream, 'close', { signal })]
  await Promise.race(events).catch(() => {})
  waiting.abort()
}
