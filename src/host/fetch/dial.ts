import { on, once } from 'node:events'
import type { WebSocket } from 'ws'
import type { Addresses, Asker } from './addresses.ts'
import { FetchFailed } from './problems.ts'
import { lookupOf } from './request.ts'
import { portOf, readUrl, shownUrl } from './url.ts'

/** A WebSocket of another server. */
export interface Dialling {
  /** `ws:` or `wss:`. */
  readonly url: string
  readonly asker: Asker
  readonly headers: Readonly<Record<string, string>>
  /** A longer message ends the connection. */
  readonly maxMessageBytes: number
  /** Ends the connection. */
  readonly signal: AbortSignal
}

/** An open WebSocket of another server. */
export interface Dialled {
  /** Resolves when the connection has taken the message. */
  send(text: string): Promise<void>
  close(): void
  /** Its text messages; ends with the connection. */
  readonly messages: AsyncIterable<string>
}

/** Opens WebSockets through the policy on addresses (decision 1.11). */
export type Dial = (wanted: Dialling) => Promise<Dialled>

const handshakeMs = 15_000
const heartbeatMs = 30_000
const closeLimitMs = 2000
const waitingMessages = 16

/** Opens access to WebSockets of other servers. */
export function openDial(addresses: Addresses): Dial {
  return async ({ url: text, asker, headers, maxMessageBytes, signal }) => {
    const url = readUrl(text.replace(/^ws/i, 'http'))
    const pinned = await addresses.resolveAllowed(url.hostname, portOf(url), asker, signal)
    const { WebSocket } = await import('ws')
    signal.throwIfAborted()
    const connection = new WebSocket(url.href.replace(/^http/, 'ws'), {
      headers: { ...headers, 'user-agent': 'Hostreeve' },
      lookup: lookupOf(pinned),
      handshakeTimeout: handshakeMs,
      maxPayload: maxMessageBytes,
      perMessageDeflate: false, // a compressed frame of a few bytes may expand to the limit many times over
    })
    connection.on('error', () => {}) // a broken connection ends its messages
    const incoming = on(connection, 'message', {
      close: ['close'],
      highWaterMark: waitingMessages,
      lowWaterMark: 1,
    })
    const end = () => connection.terminate()
    signal.addEventListener('abort', end, { once: true })
    connection.once('close', () => signal.removeEventListener('abort', end))
    try {
      await once(connection, 'open', { signal })
    } catch (error) {
      connection.terminate()
      signal.throwIfAborted()
      throw FetchFailed(`url: ${shownUrl(url)}: ${reasonOf(error)}`)
    }
    keepAlive(connection)
    return dialledOn(connection, incoming)
  }
}

function dialledOn(connection: WebSocket, incoming: AsyncIterable<unknown[]>): Dialled {
  return {
    send: (text) =>
      new Promise((resolve, reject) => connection.send(text, (error) => (error ? reject(error) : resolve()))),
    close: () => {
      connection.close(1000)
      const late = setTimeout(() => connection.terminate(), closeLimitMs)
      connection.once('close', () => clearTimeout(late))
    },
    messages: textsOf(incoming),
  }
}

async function* textsOf(incoming: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  for await (const [bytes, isBinary] of incoming)
    if (bytes instanceof Uint8Array && isBinary !== true) yield Buffer.from(bytes).toString()
}

/** Ends the connection to a server that does not answer a ping within one interval. */
function keepAlive(connection: WebSocket): void {
  let isAlive = true
  connection.on('pong', () => (isAlive = true))
  const beat = setInterval(() => {
    if (!isAlive) return connection.terminate()
    isAlive = false
    connection.ping()
  }, heartbeatMs).unref()
  connection.once('close', () => clearInterval(beat))
}

const messages: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was closed'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['ENETUNREACH', 'the network cannot be reached'],
])

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed'
  const code = 'code' in error ? String(error.code) : ''
  const [, status] = /^Unexpected server response: (\d{3})$/.exec(error.message) ?? []
  if (status !== undefined) return `the server answered ${status}`
  return messages.get(code) ?? (error.message.split('\n')[0] ?? '').slice(0, 200)
}
