import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { WebSocket } from 'ws'
import { WebSocketServer } from 'ws'
import { isRecord } from '../json5.ts'

type Params = Readonly<Record<string, unknown>>

/** A gateway of OpenClaw that a test plays: it speaks the frames of version 2026.9.6. */
export interface StandInGateway {
  readonly port: number
  token: string
  isReady: boolean
  /** What happens instead of the usual sign-in. */
  fault:
    | 'none'
    | 'no challenge'
    | 'binary'
    | 'not JSON'
    | 'chat before the sign-in'
    | 'close at the sign-in'
    | 'starting'
    | 'huge frame'
    | 'breaks off'
    | 'model fails'
    | 'goes on'
  /** What the assistant answers, in chunks. */
  reply: readonly string[]
  hasTool: boolean
  /** The answers of methods, by name; a function gets the parameters. */
  readonly methods: Map<string, (params: Params) => object>
  /** Says more in each chat that goes on. */
  readonly goingOn: Set<(text: string) => void>
  /** The methods that were called, with their parameters. */
  readonly calls: (readonly [method: string, params: Params])[]
  close(): Promise<void>
}

/** Opens a gateway on a free port of loopback. */
export async function openStandInGateway(): Promise<StandInGateway> {
  const server = createServer((asked, answer) => {
    const isPage = asked.url === '/'
    const isUp = isPage || asked.url === '/healthz' || gateway.isReady
    answer.writeHead(isUp ? 200 : 503, { 'content-type': isPage ? 'text/html' : 'application/json' })
    answer.end(isPage ? '<!doctype html><html></html>' : JSON.stringify({ ok: isUp }))
  })
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const gateway: StandInGateway = {
    port: portOf(server),
    token: 'a-token-of-the-gateway',
    isReady: true,
    fault: 'none',
    reply: ['Hello ', 'Ada'],
    hasTool: false,
    methods: new Map(),
    goingOn: new Set(),
    calls: [],
    close: async () => {
      for (const each of sockets.clients) each.terminate()
      sockets.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  sockets.on('connection', (socket) => greet(gateway, socket))
  return gateway
}

function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the gateway has no port')
  return address.port
}

const send = (socket: WebSocket, frame: object) => socket.send(JSON.stringify(frame))
const sendEvent = (socket: WebSocket, event: string, payload: object) =>
  send(socket, { type: 'event', event, payload })

function greet(gateway: StandInGateway, socket: WebSocket): void {
  socket.on('message', (data) => receive(gateway, socket, String(data)))
  if (gateway.fault === 'no challenge') return socket.close(1001, 'going away')
  if (gateway.fault === 'binary') return socket.send(Buffer.from([0, 1, 2]))
  if (gateway.fault === 'not JSON') return socket.send('hello')
  if (gateway.fault === 'huge frame') return socket.send('x'.repeat(30 * 1024 * 1024))
  if (gateway.fault === 'chat before the sign-in')
    return sendEvent(socket, 'chat', { runId: 'x', state: 'final', message: {} })
  sendEvent(socket, 'tick', {})
  sendEvent(socket, 'connect.challenge', { nonce: 'n', ts: 1 })
}

function receive(gateway: StandInGateway, socket: WebSocket, text: string): void {
  const frame: unknown = JSON.parse(text)
  if (!isRecord(frame)) return
  const { id, method } = frame
  const params = isRecord(frame['params']) ? frame['params'] : {}
  const answer = (ok: boolean, rest: object) => send(socket, { type: 'res', id, ok, ...rest })
  if (method === 'connect') return signIn(gateway, socket, params, answer)
  gateway.calls.push([String(method), params])
  if (method === 'chat.send') return chat(gateway, socket, params, answer)
  const known = gateway.methods.get(String(method))
  if (known === undefined)
    return answer(false, { error: { code: 'INVALID_REQUEST', message: 'unknown method' } })
  answer(true, { payload: known(params) })
}

type AnswerFrame = (ok: boolean, rest: object) => void

function signIn(gateway: StandInGateway, socket: WebSocket, params: Params, answer: AnswerFrame): void {
  const { auth, client } = params
  if (gateway.fault === 'close at the sign-in') return socket.close(1008, 'pairing required')
  if (gateway.fault === 'starting')
    return answer(false, { error: { code: 'UNAVAILABLE', message: 'startup-sidecars', retryAfterMs: 100 } })
  if (!isRecord(client) || client['id'] !== 'gateway-client')
    return answer(false, {
      error: { code: 'INVALID_REQUEST', message: 'client.id must be one of the allowed values' },
    })
  if (!isRecord(auth) || auth['token'] !== gateway.token) {
    answer(false, { error: { code: 'INVALID_REQUEST', message: 'unauthorized: gateway token mismatch' } })
    return socket.close(1008, 'unauthorized')
  }
  answer(true, { payload: { type: 'hello-ok', protocol: 4 } })
}

function chat(gateway: StandInGateway, socket: WebSocket, params: Params, answer: AnswerFrame): void {
  const { idempotencyKey: runId, sessionKey } = params
  const of = { runId, sessionKey }
  answer(true, { payload: { runId, status: 'started' } })
  sendEvent(socket, 'chat', { ...of, state: 'status', phase: 'starting_model' })
  sendEvent(socket, 'chat', { runId: 'another', state: 'delta', deltaText: 'not yours' })
  if (gateway.hasTool)
    for (const phase of ['start', 'result'])
      sendEvent(socket, 'agent', { runId, stream: 'tool', data: { phase, name: 'hostreeve__list_websites' } })
  for (const deltaText of gateway.reply) sendEvent(socket, 'chat', { ...of, state: 'delta', deltaText })
  if (gateway.fault === 'goes on') return goOn(gateway, socket, of)
  if (gateway.fault === 'breaks off') return socket.close(1012, 'service restart')
  if (gateway.fault === 'model fails')
    return sendEvent(socket, 'chat', { ...of, state: 'error', errorMessage: '401 bad key' })
  const message = { role: 'assistant', content: [{ type: 'text', text: gateway.reply.join('') }] }
  sendEvent(socket, 'chat', { ...of, state: 'final', message })
}

/** Leaves an answer without an end, until the panel leaves it. */
function goOn({ goingOn }: StandInGateway, socket: WebSocket, of: object): void {
  const say = (deltaText: string) => sendEvent(socket, 'chat', { ...of, state: 'delta', deltaText })
  goingOn.add(say)
  socket.on('close', () => goingOn.delete(say))
}
