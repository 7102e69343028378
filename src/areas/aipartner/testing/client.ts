import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import type { Person, TestPanel } from '../../../../test/support/panel.ts'
import { until } from '../../../../test/support/until.ts'

/** A browser in a chat. */
interface ChatClient {
  readonly socket: WebSocket
  /** The frames so far. */
  readonly frames: any[]
  send(text: string): void
  /** Waits for a frame of a type whose text matches; the frames before it are taken too. */
  takes(type: string, text?: RegExp): Promise<any>
  /** Waits for the end of the connection: its code and reason. */
  readonly closed: Promise<readonly [code: number, reason: string]>
}

/** Opens chats of a panel over real sockets. */
export async function openChats(panel: TestPanel) {
  await panel.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = panel.app.server.address() as AddressInfo
  const tokenOf = async (as: Person, use: object = { purpose: 'partner-chat' }): Promise<string> => {
    const { status, data, text } = await panel.request('POST', '/api/auth/socket-token', { as, body: use })
    if (status !== 200) throw new Error(text)
    return data.token
  }
  const connect = (token: string) =>
    new WebSocket(`ws://127.0.0.1:${port}/api/aipartner/chat?${new URLSearchParams({ token })}`)
  return {
    tokenOf,
    open: async (as: Person, token?: string): Promise<ChatClient> => {
      const client = clientOf(connect(token ?? (await tokenOf(as))))
      await once(client.socket, 'open')
      return client
    },
    /** The status and code with which the upgrade is refused. */
    refusal: async (token: string): Promise<readonly [status: number, code: string]> => {
      const socket = connect(token).on('error', () => {})
      const opened = once(socket, 'open').then(() => undefined)
      opened.catch(() => {}) // it is refused
      const outcome = await Promise.race([once(socket, 'unexpected-response'), opened])
      if (outcome === undefined) throw new Error('the chat was opened')
      let text = ''
      for await (const chunk of outcome[1]) text += String(chunk)
      return [outcome[1].statusCode, JSON.parse(text).error.code]
    },
  }
}

function clientOf(socket: WebSocket): ChatClient {
  const frames: any[] = []
  let taken = 0
  socket.on('message', (bytes) => frames.push(JSON.parse(String(bytes))))
  socket.on('error', () => {})
  return {
    socket,
    frames,
    send: (text) => socket.send(JSON.stringify({ type: 'message', text })),
    takes: (type, text = /^/) =>
      until(
        () => {
          const at = frames.findIndex(
            (frame, index) => index >= taken && frame.type === type && text.test(frame.text ?? ''),
          )
          if (at === -1) return undefined
          taken = at + 1
          return frames[at]
        },
        { awaited: `a frame ${type} ${text}` },
      ),
    closed: once(socket, 'close').then(([code, reason]) => [code, String(reason)] as const),
  }
}
