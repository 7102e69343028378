import type { IncomingMessage } from 'node:http'
import type { Wanted } from './wanted.ts'
import { failureOf } from './failures.ts'
import { FetchFailed } from './problems.ts'
import { shownUrl } from './url.ts'

interface Receiving {
  readonly response: IncomingMessage
  readonly url: URL
  readonly wanted: Wanted
  readonly stallMs: number
  readonly offset: number
  readonly sizeBytes: number | undefined
}

const leastBytesPerSecond = 512

/** The bytes of a response. Only time spent waiting for the server counts towards its timeout, not a slow disk. */
export async function* received({
  response,
  url,
  wanted,
  stallMs,
  offset,
  sizeBytes,
}: Receiving): AsyncGenerator<Buffer> {
  const parts: AsyncIterator<Buffer> = response[Symbol.asyncIterator]()
  const failed = (message: string) => FetchFailed(`url: ${shownUrl(url)}: ${message} for ${stallMs / 1000} s`)
  const stalled = () => response.destroy(failed('the server sent nothing'))
  let [end, waitedMs, windowBytes] = [offset, 0, 0]
  try {
    for (;;) {
      const askedAt = performance.now()
      const timer = setTimeout(stalled, stallMs)
      const { done, value } = await parts.next().finally(() => clearTimeout(timer))
      if (done === true) return
      ;[waitedMs, windowBytes] = [waitedMs + performance.now() - askedAt, windowBytes + value.length]
      end += value.length
      if (end > wanted.maxBytes) throw tooLarge(url, 'the server sends more', wanted.maxBytes)
      wanted.onProgress?.(end, sizeBytes)
      yield value
      if (waitedMs < stallMs) continue
      if (windowBytes * 1000 < leastBytesPerSecond * waitedMs)
        throw failed(`the server sent less than ${leastBytesPerSecond} bytes a second`)
      ;[waitedMs, windowBytes] = [0, 0]
    }
  } catch (error) {
    throw failureOf(error, url, wanted.signal)
  } finally {
    response.destroy()
  }
}

/** The failure for a file beyond the size limit. */
export function tooLarge(url: URL, message: string, maxBytes: number): Error {
  return FetchFailed(`url: ${shownUrl(url)}: ${message}, the limit is ${maxBytes} bytes`)
}
