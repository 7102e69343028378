import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { on } from 'node:events'
import { type IncomingMessage, ServerResponse } from 'node:http'
import { Socket as Connection } from 'node:net'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import type { Log } from '../../core/endpoint.ts'
import { Problem, Unavailable, UpgradeRequired } from '../../core/problem.ts'
import type { Socket } from '../../core/reply.ts'

const maxMessageBytes = 1024 * 1024
const closeLimitMs = 2000
const waitingMessages = 16
const [done, goingAway, policyViolation, serverError] = [1000, 1001, 1008, 1011]

const upgrades = new WeakMap<IncomingMessage, { readonly socket: Duplex; readonly head: Buffer }>()

let accepting: Promise<WebSocketServer> | undefined

/** Loads the library at the first socket, so that it takes no memory before. */
function acceptor(): Promise<WebSocketServer> {
  return (accepting ??= import('ws').then(
    ({ WebSocketServer }) =>
      new WebSocketServer({
        noServer: true,
        maxPayload: maxMessageBytes,
        perMessageDeflate: false, // a compressed frame of a few bytes may expand to the limit many times over
        clientTracking: false,
      }),
  ))
}

/**
 * True for requests that may be upgraded (RFC 6455, section 4.2.1); every other `Upgrade` header is ignored.
 */
export const isWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers.upgrade?.toLowerCase() === 'websocket' &&
  headers['sec-websocket-version'] === '13' &&
  /^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')

/** Routes upgrades like requests, so that the same checks refuse them with the same responses. */
export function takeUpgrades(app: FastifyInstance): void {
  app.server.on('upgrade', (raw, socket, head) => {
    if (!(socket instanceof Connection)) return void socket.destroy()
    upgrades.set(raw, { socket, head })
    socket.on('error', () => socket.destroy())
    const response = new ServerResponse(raw)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => socket.end())
    app.routing(raw, response)
  })
}

/** Throws unless a request can become a socket. */
export function assertUpgrade({ raw }: FastifyRequest): void {
  if (!upgrades.has(raw)) throw UpgradeRequired()
}

/** The options of a connection. */
interface Opening {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly talk: (socket: Socket) => Promise<void>
  /** Ends with the credential, the panel, or the connection. */
  readonly signal: AbortSignal
  readonly heartbeatMs: number
  readonly log: Log
}

/** Upgrades a request and hands the connection to `talk`; it is closed when that ends. */
export function openSocket({ request, reply, talk, signal, heartbeatMs, log }: Opening): FastifyReply {
  const held = upgrades.get(request.raw)
  if (held === undefined) throw UpgradeRequired()
  void reply.hijack()
  const begin = (connection: WebSocket) => {
    const socket = socketOf(connection)
    keepAlive(connection, heartbeatMs)
    closeWith(connection, signal)
    connection.on('error', () => {}) // a broken connection ends its messages; the error has no recipient
    talk(socket).then(
      () => close(connection, done, ''),
      (error: unknown) => {
        if (error instanceof Problem) return close(connection, serverError, error.message)
        if (!signal.aborted) log.error({ err: error, requestId: request.id }, 'a socket failed')
        close(connection, serverError, 'the connection failed')
      },
    )
  }
  void acceptor().then((server) => server.handleUpgrade(request.raw, held.socket, held.head, begin))
  return reply
}

function socketOf(connection: WebSocket): Socket {
  const incoming = on(connection, 'message', {
    close: ['close'],
    highWaterMark: waitingMessages,
    lowWaterMark: 1,
  })
  return {
    send: (message) =>
      new Promise((resolve, reject) =>
        connection.send(message, (error) => (error ? reject(error) : resolve())),
      ),
    close: (code, reason) => close(connection, code, reason),
    messages: messagesOf(incoming),
  }
}

async function* messagesOf(incoming: AsyncIterable<unknown[]>): AsyncGenerator<string | Uint8Array> {
  for await (const [bytes, isBinary] of incoming) {
    if (bytes instanceof Uint8Array) yield isBinary === true ? bytes : Buffer.from(bytes).toString()
  }
}

/** Closes the connection of a peer that does not answer a ping within one interval. */
function keepAlive(connection: WebSocket, heartbeatMs: number): void {
  let isAlive = true
  connection.on('pong', () => (isAlive = true))
  const beat = setInterval(() => {
    if (!isAlive) return connection.terminate()
    isAlive = false
    connection.ping()
  }, heartbeatMs)
  connection.once('close', () => clearInterval(beat))
}

function closeWith(connection: WebSocket, signal: AbortSignal): void {
  const end = () => {
    const isStop = signal.reason instanceof Problem && signal.reason.kind === Unavailable
    close(connection, isStop ? goingAway : policyViolation, String(signal.reason?.message))
  }
  if (signal.aborted) return end()
  signal.addEventListener('abort', end)
  connection.once('close', () => signal.removeEventListener('abort', end))
}

/**
 * Closes a connection, and terminates it if the peer does not close in return. A reason has at most 123
 * bytes.
 */
function close(connection: WebSocket, code: number, reason: string): void {
  if (connection.readyState !== connection.OPEN) return
  connection.close(code, Buffer.from(reason).subarray(0, 120).toString().replace(/�$/, ''))
  const late = setTimeout(() => connection.terminate(), closeLimitMs)
  connection.once('close', () => clearTimeout(late))
}
