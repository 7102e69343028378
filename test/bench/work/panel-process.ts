/** A panel with work that runs until it is told to end, started with `--expose-gc` and a channel to its parent. */
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { openSample } from '../../../src/surfaces/http/testing/sample.ts'

/** What the process holds after a collection. */
export interface Held {
  readonly heapBytes: number
  readonly residentBytes: number
  /** The requests in progress. */
  readonly requests: number
}

const sample = await openSample()
await sample.startJobs()
await sample.app.listen({ host: '127.0.0.1', port: 0 })
process.on('message', async () => {
  for (let round = 0; round < 4; round++) {
    globalThis.gc?.()
    await pause(50) // buffers are freed after the collection that found them
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  const requests = sample.gates.running.size
  process.send?.({ heapBytes: heapUsed + external, residentBytes: rss, requests } satisfies Held)
})
process.send?.((sample.app.server.address() as AddressInfo).port)
