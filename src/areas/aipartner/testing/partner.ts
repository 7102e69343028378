import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** A request that a partner received. */
interface AskedPartner {
  /** Such as `POST /v1/trials`. */
  readonly line: string
  readonly bearer: string
  readonly body: any
}

/** A partner that answers as it is told to. */
export interface StandInPartner {
  /** As the setting `partner_api_url` has it. */
  readonly url: string
  /** What it was asked, the oldest first. */
  readonly asked: AskedPartner[]
  /** The bot that it knows. */
  bot: Record<string, unknown>
  /** Answers requests instead of it; false for those that it answers itself. */
  instead: (asked: AskedPartner, reply: ServerResponse) => boolean
  /** What a new trial is, besides its address. */
  trial: Record<string, unknown>
  /** The program of the gateway, and the SHA-256 that is stated of it. */
  agent: { readonly content: string; readonly sha256: string; readonly version: string }
  /** The open chats, the oldest first. */
  readonly chats: Set<WebSocket>
  /** The messages that chats have sent. */
  readonly received: any[]
  /** Answers a message of a chat. */
  onMessage: (chat: WebSocket, text: string) => void
  close(): Promise<void>
}

/** The credentials that the stand-in knows. */
export const [secret, trialToken, gatewayToken] = ['secret-of-this-build', 'token-of-the-trial', 'gw-token-1']

const far = '2099-01-01T00:00:00.000Z'

/** Answers a message as a partner does: it is typing, then it is done. */
export function answerUsually(chat: WebSocket, text: string): void {
  say(chat, { type: 'typing' })
  say(chat, { type: 'done', text: `You said: ${text}` })
}

/** Sends a frame to the panel. */
export const say = (chat: WebSocket, frame: object): void => chat.send(JSON.stringify(frame))

/** Starts a partner on loopback. */
export async function startPartner(port = 0): Promise<StandInPartner> {
  const sockets = new WebSocketServer({ noServer: true })
  const server = createServer((request, reply) => {
    answer(standIn, request, reply).catch(() => reply.destroy())
  })
  server.on('upgrade', (request, socket, head) => {
    if (request.headers.authorization !== `Bearer ${trialToken}` || request.url !== '/v1/chat')
      return void socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
    sockets.handleUpgrade(request, socket, head, (chat) => welcome(standIn, chat))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const standIn: StandInPartner = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: [],
    bot: {},
    instead: () => false,
    trial: { token: trialToken, expires_at: far, reused: false },
    agent: { content: '', sha256: '0'.repeat(64), version: '1.0.0' },
    chats: new Set(),
    received: [],
    onMessage: answerUsually,
    close: () => {
      for (const chat of standIn.chats) chat.terminate()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return standIn
}

function welcome(standIn: StandInPartner, chat: WebSocket): void {
  standIn.chats.add(chat)
  chat.on('error', () => {})
  chat.on('close', () => standIn.chats.delete(chat))
  chat.on('message', (bytes) => {
    const message = JSON.parse(String(bytes))
    standIn.received.push(message)
    standIn.onMessage(chat, message.text)
  })
  say(chat, { type: 'banner', text: 'Welcome' })
}

async function answer(
  standIn: StandInPartner,
  request: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  const text = (await request.setEncoding('utf8').toArray()).join('')
  const bearer = (request.headers.authorization ?? '').replace(/^Bearer /, '')
  const asked = {
    line: `${request.method} ${request.url}`,
    bearer,
    body: text === '' ? undefined : JSON.parse(text),
  }
  standIn.asked.push(asked)
  if (standIn.instead(asked, reply)) return
  const { status, body } = answerOf(standIn, asked)
  if (typeof body === 'string') return void reply.writeHead(status).end(body)
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function answerOf(
  standIn: StandInPartner,
  { line, bearer, body }: AskedPartner,
): { readonly status: number; readonly body: unknown } {
  const { url, bot, trial, agent } = standIn
  const unknown = { status: 401, body: { message: `the credential ${bearer} is unknown` } }
  const isActive = bearer === trialToken || bearer === gatewayToken
  switch (line) {
    case 'POST /v1/trials':
      return bearer === secret
        ? { status: 200, body: { socket_url: `${url.replace('http', 'ws')}/chat`, ...trial } }
        : unknown
    case 'GET /v1/channel-a':
      return isActive ? { status: 200, body: bot } : unknown
    case 'POST /v1/channel-a':
      if (!isActive) return unknown
      standIn.bot = botAfter(bot, body)
      return { status: 200, body: standIn.bot }
    case 'POST /v1/gateway/agent':
      return bearer === gatewayToken
        ? {
            status: 200,
            body: { version: agent.version, sha256: agent.sha256, url: `${url}/gateway.mjs` },
          }
        : unknown
    case 'GET /v1/gateway.mjs':
      return { status: 200, body: agent.content }
    default:
      return { status: 404, body: { message: 'there is nothing here' } }
  }
}

/** A bot without a token has no name, and does not answer. */
function botAfter(bot: Record<string, unknown>, edit: Record<string, unknown>): Record<string, unknown> {
  const next: Record<string, unknown> = { ...bot, ...edit }
  return next['channel_token'] === ''
    ? { channel_token: '', enabled: false }
    : { ...next, bot_username: 'hostreeve_bot' }
}
