import type { FastifyReply } from 'fastify'
import { once } from 'node:events'
import type { StreamEvent } from '../../core/reply.ts'

/** The events to stream, and the signal that ends them. */
export interface Streaming {
  readonly source: AsyncIterable<StreamEvent<unknown>>
  readonly mask: ((value: unknown) => unknown) | undefined
  readonly heartbeatMs: number
  readonly signal: AbortSignal
}

/**
 * Streams events as `text/event-stream`. An error after the start is sent as an event; a slow reader pauses
 * the source.
 */
export function streamEvents(reply: FastifyReply, streaming: Streaming): FastifyReply {
  void reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  raw.flushHeaders()
  void pump(raw, streaming)
  return reply
}

async function pump(
  raw: FastifyReply['raw'],
  { source, mask, heartbeatMs, signal }: Streaming,
): Promise<void> {
  const beat = setInterval(() => raw.write(': still here\n\n'), heartbeatMs)
  try {
    for await (const { id, value } of untilAborted(source, signal)) {
      const text = `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(mask ? mask(value) : value)}\n\n`
      if (!raw.write(text)) await once(raw, 'drain', { signal })
    }
    if (signal.aborted) writeError(raw, stopped)
  } catch (error) {
    writeError(
      raw,
      signal.aborted
        ? stopped
        : error instanceof Error && error.name === 'Problem'
          ? error.message
          : 'the stream broke off',
    )
  } finally {
    clearInterval(beat)
    raw.end()
  }
}

const stopped = 'the stream was ended by the panel'

/** Returns the same events until the signal ends, even if the source ignores the signal. */
async function* untilAborted<Value>(
  source: AsyncIterable<Value>,
  signal: AbortSignal,
): AsyncGenerator<Value> {
  const iterator = source[Symbol.asyncIterator]()
  let stop = () => {}
  const aborted = new Promise<IteratorReturnResult<undefined>>(
    (resolve) => (stop = () => resolve({ done: true, value: undefined })),
  )
  signal.addEventListener('abort', stop)
  try {
    while (!signal.aborted) {
      const next = await Promise.race([iterator.next(), aborted])
      if (next.done) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    iterator.return?.()?.catch(() => {}) // a source that hangs must not keep the stream open
  }
}

function writeError(raw: FastifyReply['raw'], message: string): void {
  if (!raw.destroyed) raw.write(`data: ${JSON.stringify({ type: 'error', message })}\n\n`)
}
