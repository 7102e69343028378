import type { FastifyReply } from 'fastify'
import { once } from 'node:events'
import type { StreamEvent } from '../../core/reply.ts'

const heartbeatMs = 15_000

/** Streams events as `text/event-stream`. Errors after the start are an event; a slow reader makes the source wait. */
export function streamEvents(reply: FastifyReply, source: AsyncIterable<StreamEvent<unknown>>, mask: ((value: unknown) => unknown) | undefined, signal: AbortSignal): FastifyReply {
  void reply.hijack()
  const { raw } = reply
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
  raw.flushHeaders()
  void pump(raw, source, mask, signal)
  return reply
}

async function pump(raw: FastifyReply['raw'], source: AsyncIterable<StreamEvent<unknown>>, mask: ((value: unknown) => unknown) | undefined, signal: AbortSignal): Promise<void> {
  const beat = setInterval(() => raw.write(': still here\n\n'), heartbeatMs)
  try {
    for await (const { id, value } of source) {
      const text = `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(mask ? mask(value) : value)}\n\n`
      if (!raw.write(text)) await once(raw, 'drain', { signal })
      if (signal.aborted) break
    }
    if (signal.aborted) writeError(raw, 'the stream was ended by the panel')
  } catch (error) {
    writeError(raw, signal.aborted ? 'the stream was ended by the panel' : error instanceof Error && error.name === 'Problem' ? error.message : 'the stream broke off')
  } finally {
    clearInterval(beat)
    raw.end()
  }
}

function writeError(raw: FastifyReply['raw'], message: string): void {
  if (!raw.destroyed) raw.write(`data: ${JSON.stringify({ type: 'error', message })}\n\n`)
}
