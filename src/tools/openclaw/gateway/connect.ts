import type { WebSocket } from 'ws'
import { onAbort } from '../../../core/on-abort.ts'
import { AuthFailed, AuthRejected, ChallengeFailed, GatewayUnavailable } from '../problems.ts'
import { type Frame, Frames, maxFrameBytes } from './frames.ts'

/** The gateway of this host, and the token by which the panel signs in. */
export interface GatewayTarget {
  readonly port: number
  readonly token: string
  /** Ends the connection. */
  readonly signal: AbortSignal
}

/** A connection that has signed in. */
export interface GatewayConnection {
  request(id: string, method: string, params: object): void
  /** The next message; undefined at the end. */
  next(): Promise<Frame | undefined>
  /** Why there are no further messages. */
  readonly end: string | undefined
  close(): void
}

const openLimitMs = 5000
const answerLimitMs = 10_000
const protocol = 4

/** The gateway admits only clients that it knows; this one needs no device key over loopback. */
const client = { id: 'gateway-client', version: '1.0.0', platform: 'linux', mode: 'backend' } as const
const scopes = [
  'operator.admin',
  'operator.read',
  'operator.write',
  'operator.pairing',
  'operator.approvals',
] as const

/** Connects to the gateway and signs in; fails with the stage that was not reached. */
export async function connectGateway(target: GatewayTarget): Promise<GatewayConnection> {
  const { signal } = target
  signal.throwIfAborted()
  const { WebSocket: Socket } = await import('ws')
  const socket = new Socket(`ws://127.0.0.1:${target.port}`, {
    handshakeTimeout: openLimitMs,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    followRedirects: false,
  })
  const frames = new Frames(socket)
  const leave = () => socket.terminate()
  socket.once('close', onAbort(signal, leave))
  const connection: GatewayConnection = {
    request: (id, method, params) => {
      if (socket.readyState === Socket.OPEN)
        socket.send(JSON.stringify({ type: 'req', id, method, params }), () => {}) // a broken socket ends its messages
    },
    next: () => frames.next(),
    get end() {
      return frames.end
    },
    close: () => socket.close(1000),
  }
  try {
    await opened(socket, frames)
    await signIn(connection, target.token, leave)
    return connection
  } catch (error) {
    leave()
    throw error
  }
}

async function opened(socket: WebSocket, frames: Frames): Promise<void> {
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
  if (!isOpen)
    throw GatewayUnavailable(`OpenClaw cannot be reached: ${frames.end ?? 'the connection was closed'}`)
}

async function signIn(connection: GatewayConnection, token: string, leave: () => void): Promise<void> {
  const late = setTimeout(leave, answerLimitMs)
  try {
    const challenge = await next(connection, (frame) => frame.event === 'connect.challenge')
    if (challenge === undefined) throw ChallengeFailed(`OpenClaw sent no challenge: ${reasonOf(connection)}`)
    connection.request('connect', 'connect', {
      minProtocol: protocol,
      maxProtocol: protocol,
      client,
      role: 'operator',
      scopes,
      caps: ['tool-events'],
      auth: { token },
    })
    const answer = await next(connection, ({ type, id }) => type === 'res' && id === 'connect')
    if (answer === undefined) throw AuthFailed(`OpenClaw did not answer the sign-in: ${reasonOf(connection)}`)
    if (!answer.isOk) throw refusalOf(answer)
  } finally {
    clearTimeout(late)
  }
}

/** The first message that meets a condition; undefined at the end. Events of other subjects may come before. */
async function next(
  connection: GatewayConnection,
  isWanted: (frame: Frame) => boolean,
): Promise<Frame | undefined> {
  for (;;) {
    const frame = await connection.next()
    if (frame === undefined || isWanted(frame)) return frame
    if (frame.type === 'event' && frame.event === 'chat') return undefined // nothing is sent before the sign-in
  }
}

const reasonOf = ({ end }: GatewayConnection): string => end ?? 'it sent something else'

/** A gateway that is starting asks to be tried again; that is no refusal of the token. */
function refusalOf({ error }: Frame): Error {
  const message = messageOf(error)
  return error['code'] === 'UNAVAILABLE'
    ? GatewayUnavailable(`OpenClaw is starting: ${message}`)
    : AuthRejected(`OpenClaw: ${message}`)
}

/** The message of an error of the gateway. */
export const messageOf = (error: Frame['error']): string =>
  typeof error['message'] === 'string' && error['message'] !== ''
    ? error['message'].slice(0, 1000)
    : 'it gave no reason'
