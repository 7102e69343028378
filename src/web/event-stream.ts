import type { StreamEvent } from '../core/reply.ts'
import type { Call } from './call.ts'
import { request } from './client.ts'

/** One event as received; a reader that lost its connection resumes after `id`. */
export interface Arrived<Value> {
  readonly id: number | undefined
  readonly value: Value
}

/** Reads the events of one connection until the server closes it. */
export async function* readEvents<Value>(
  call: Call<AsyncIterable<StreamEvent<Value>>>,
  lastId: number,
  signal: AbortSignal,
): AsyncGenerator<Arrived<Value>> {
  const headers = { accept: 'text/event-stream', ...(lastId > 0 && { 'last-event-id': String(lastId) }) }
  const answer = await request(call, signal, headers)
  const reader = (answer.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>
  let waiting = ''
  while (true) {
    const { done, value } = await reader.read()
    if (done) return
    waiting += value
    const blocks = waiting.split('\n\n')
    waiting = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parse<Value>(block)
      if (event) yield event
    }
  }
}

function parse<Value>(block: string): Arrived<Value> | undefined {
  const lines = block.split('\n')
  const text = lines
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trimStart())
    .join('\n')
  if (text === '') return undefined
  const id = lines
    .find((line) => line.startsWith('id:'))
    ?.slice(3)
    .trim()
  return { id: id === undefined ? undefined : Number(id), value: JSON.parse(text) as Value }
}
