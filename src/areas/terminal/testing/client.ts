import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import type { Person, TestPanel } from '../../../../test/support/panel.ts'
import { until } from '../../../../test/support/until.ts'

/** A client of one terminal. */
export interface TerminalClient {
  readonly socket: WebSocket
  /** The text messages so far. */
  readonly messages: any[]
  /** The output so far. */
  text(): string
  type(text: string): void
  send(message: object): void
  /** Waits until the last 64 KiB of the output match. */
  shows(pattern: RegExp): Promise<void>
  /** Waits for the end of the connection: its code and reason. */
  readonly closed: Promise<readonly [code: number, reason: string]>
}

/** The status and code with which an upgrade is refused. */
export type Refused = readonly [status: number, code: string]

export interface Asked {
  readonly uid: number | string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Default: a fresh one of the caller for `uid`. */
  readonly token?: string
}

const searched = 65_536

/** Opens terminals of a panel over real sockets. */
export async function openDoor(panel: TestPanel) {
  await panel.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = panel.app.server.address() as AddressInfo
  const tokenOf = async (as: Person | string, use: object): Promise<string> => {
    const { status, data, text } = await panel.request('POST', '/api/auth/socket-token', { as, body: use })
    if (status !== 200) throw new Error(text)
    return data.token
  }
  const connect = async (as: Person | string, { uid, query, headers, token }: Asked) => {
    const given = token ?? (await tokenOf(as, { purpose: 'terminal' }))
    const search = new URLSearchParams({ token: given, ...query })
    const url = `ws://127.0.0.1:${port}/api/users/${uid}/terminal?${search}`
    return new WebSocket(url, { headers: { ...headers } })
  }
  return {
    tokenOf,
    /** Opens a socket at another path of the panel, once it has told its first message. */
    openAt: async (path: string, token: string): Promise<TerminalClient> => {
      const url = `ws://127.0.0.1:${port}${path}?${new URLSearchParams({ token })}`
      const client = clientOf(new WebSocket(url))
      await until(() => client.messages.length > 0)
      return client
    },
    refusalAt: (path: string, token: string): Promise<Refused> =>
      refused(new WebSocket(`ws://127.0.0.1:${port}${path}?${new URLSearchParams({ token })}`)),
    /** Opens a terminal, once it has told its id. */
    open: async (as: Person | string, asked: Asked): Promise<TerminalClient> => {
      const client = clientOf(await connect(as, asked))
      await until(() => client.messages.length > 0)
      return client
    },
    refusal: async (as: Person | string, asked: Asked): Promise<Refused> => refused(await connect(as, asked)),
  }
}

async function refused(socket: WebSocket): Promise<Refused> {
  socket.on('error', () => {})
  const opened = once(socket, 'open').then(() => undefined)
  const outcome = await Promise.race([once(socket, 'unexpected-response'), opened])
  if (outcome === undefined) throw new Error('the terminal was opened')
  let text = ''
  for await (const chunk of outcome[1]) text += String(chunk)
  return [outcome[1].statusCode, JSON.parse(text).error.code]
}

function clientOf(socket: WebSocket): TerminalClient {
  const messages: any[] = []
  let output = ''
  socket.on('message', (bytes, isBinary) => {
    if (isBinary) output += String(bytes)
    else messages.push(JSON.parse(String(bytes)))
  })
  return {
    socket,
    messages,
    text: () => output,
    type: (text) => socket.send(Buffer.from(text)),
    send: (message) => socket.send(JSON.stringify(message)),
    shows: async (pattern) =>
      void (await until(() => pattern.test(output.slice(-searched)), { awaited: `${pattern}` })),
    closed: once(socket, 'close').then(([code, reason]) => [code, String(reason)] as const),
  }
}
