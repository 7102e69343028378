/** A panel whose assistant does not end its answers, started with `--expose-gc` and a channel to its parent. */
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { openAssistantPanel } from '../../../src/areas/ai/testing/assistant-panel.ts'

/** Where the panel listens, and the token by which it is asked. */
export interface Ready {
  readonly port: number
  readonly token: string
}

/** What the process holds after a collection. */
export interface Held {
  readonly heapBytes: number
  readonly residentBytes: number
  /** The chats in progress. */
  readonly chats: number
}

const on = await openAssistantPanel()
await on.setUp()
const { panel, gateway, keeper } = on
Object.assign(gateway, { fault: 'goes on', reply: ['Hello'] })
await panel.app.listen({ host: '127.0.0.1', port: 0 })

/** Says the time in each chat: the clock is that of all processes. */
function speak(): void {
  for (const say of gateway.goingOn) say(String(process.hrtime.bigint()))
}

async function measure(): Promise<void> {
  for (let round = 0; round < 4; round++) {
    globalThis.gc?.()
    await pause(50) // buffers are freed after the collection that found them
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  const chats = gateway.goingOn.size
  process.send?.({ heapBytes: heapUsed + external, residentBytes: rss, chats } satisfies Held)
}

process.on('message', (asked) => (asked === 'speak' ? speak() : void measure()))
process.once('SIGTERM', () => void on.close().finally(() => process.exit()))
const { port } = panel.app.server.address() as AddressInfo
process.send?.({ port, token: keeper.token } satisfies Ready)
