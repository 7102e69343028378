import { urlOf } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { auth } from '../../auth/web/api.ts'
import { aipartner } from './api.ts'

/** A frame of the partner, as the panel passes it on. */
export interface Frame {
  readonly type: 'banner' | 'typing' | 'done' | 'blocked' | 'error'
  readonly text?: string
}

/** What the chat tells about its connection. */
export type State =
  | { readonly is: 'connecting' | 'connected' | 'lost' }
  | { readonly is: 'ended'; readonly reason: string }

interface Options {
  readonly onState: (state: State) => void
  readonly onFrame: (frame: Frame) => void
}

const [firstRetryMs, longestRetryMs] = [500, 10_000]
const refused =
  'The chat could not be opened. You may have five open already, in this or another window: close one, or reload the page.'

/** A connection to the chat, made again where it is lost. */
export class Connection {
  readonly #options: Options
  #socket: WebSocket | undefined
  #isLeft = false
  #hasOpened = false
  #retryMs = firstRetryMs

  constructor(options: Options) {
    this.#options = options
    options.onState({ is: 'connecting' })
    void this.#open()
  }

  /** False while there is no connection. */
  send(text: string): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false
    this.#socket.send(JSON.stringify({ type: 'message', text }))
    return true
  }

  leave(): void {
    this.#isLeft = true
    this.#socket?.close()
  }

  async #open(): Promise<void> {
    const token = this.#isLeft ? undefined : await freshToken()
    if (this.#isLeft) return
    if (token === undefined) return this.#retry()
    const path = urlOf(aipartner.openPartnerChat({ query: { token } }))
    const socket = new WebSocket(new URL(path, location.href.replace(/^http/, 'ws')))
    this.#socket = socket
    socket.addEventListener('open', () => {
      this.#hasOpened = true
      this.#retryMs = firstRetryMs
      this.#options.onState({ is: 'connected' })
    })
    socket.addEventListener('message', ({ data }: MessageEvent<string>) =>
      this.#options.onFrame(JSON.parse(data)),
    )
    socket.addEventListener('close', ({ code, reason }) => this.#closed(code, reason))
  }

  #closed(code: number, reason: string): void {
    if (this.#isLeft) return
    if (code === 1000 || code === 1008 || code === 1011 || code >= 4000)
      return this.#options.onState({ is: 'ended', reason: reason || 'The chat has ended.' })
    this.#retry()
  }

  /** A connection that never was is not tried again: the browser does not tell why it was refused. */
  #retry(): void {
    if (!this.#hasOpened) return this.#options.onState({ is: 'ended', reason: refused })
    this.#options.onState({ is: 'lost' })
    setTimeout(() => void this.#open(), this.#retryMs)
    this.#retryMs = Math.min(2 * this.#retryMs, longestRetryMs)
  }
}

/** A token, or undefined where the panel cannot be reached. */
async function freshToken(): Promise<string | undefined> {
  try {
    return (await run(auth.createSocketToken({ body: { purpose: 'partner-chat' } }))).token
  } catch {
    return undefined
  }
}
