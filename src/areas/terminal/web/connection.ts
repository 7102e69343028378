import { urlOf } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { auth } from '../../auth/web/api.ts'
import type { FromClient, FromTerminal } from '../messages.ts'
import { terminal } from './api.ts'

/** The terminal that a tab shows. */
export interface Wanted {
  readonly uid: number
  /** An account of the host, for superusers; absent: that of the user. */
  readonly username?: string
}

/** What a tab tells about its connection. */
export type State =
  | { readonly is: 'connecting' | 'connected' | 'lost' }
  | { readonly is: 'ended'; readonly reason: string }

interface Options extends Wanted {
  /** The terminal of this tab, if it was shown before. */
  readonly resume: string | undefined
  readonly onState: (state: State) => void
  readonly onOpened: (id: string) => void
  readonly onOutput: (bytes: Uint8Array) => void
}

const firstRetryMs = 500
const longestRetryMs = 10_000
const giveUpAfterMs = 120_000
const refused =
  'The terminal could not be opened. You may have ten open already, in this or another window: close one, or reload the page.'

/** A connection to a terminal, made again where it is lost. */
export class Connection {
  readonly #options: Options
  #resume: string | undefined
  #socket: WebSocket | undefined
  #size: FromClient | undefined
  #isLeft = false
  #hasOpened = false
  #lostAt = 0
  #retryMs = firstRetryMs

  constructor(options: Options) {
    this.#options = options
    this.#resume = options.resume
    options.onState({ is: 'connecting' })
    void this.#open()
  }

  type(text: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(new TextEncoder().encode(text))
  }

  resize(cols: number, rows: number): void {
    this.#size = { type: 'resize', cols, rows }
    this.#send(this.#size)
  }

  /** Ends the shell. */
  end(): void {
    this.#send({ type: 'close' })
  }

  /** Leaves the shell: it is kept for two minutes. */
  leave(): void {
    this.#isLeft = true
    this.#socket?.close()
  }

  async #open(): Promise<void> {
    const { uid, username, onOutput } = this.#options
    const token = this.#isLeft ? undefined : await tokenFor(uid)
    if (this.#isLeft) return
    if (token === undefined) return this.#retry()
    const query = { token, ...(username && { username }), ...(this.#resume && { resume: this.#resume }) }
    const path = urlOf(terminal.openTerminal({ params: { uid }, query }))
    const socket = new WebSocket(new URL(path, location.href.replace(/^http/, 'ws')))
    this.#socket = socket
    socket.binaryType = 'arraybuffer'
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) =>
      typeof data === 'string' ? this.#receive(JSON.parse(data)) : onOutput(new Uint8Array(data)),
    )
    socket.addEventListener('close', ({ code, reason }) => this.#closed(code, reason))
  }

  #receive(message: FromTerminal): void {
    if (message.type === 'exit') return this.#options.onState(endedWith(message.code))
    this.#resume = message.terminal
    this.#hasOpened = true
    this.#lostAt = 0
    this.#retryMs = firstRetryMs
    this.#options.onState({ is: 'connected' })
    this.#options.onOpened(message.terminal)
    if (this.#size) this.#send(this.#size)
  }

  #closed(code: number, reason: string): void {
    if (this.#isLeft || code === 1000) return
    if (code === 1008 || code === 1011 || code >= 4000) return this.#options.onState({ is: 'ended', reason })
    this.#retry()
  }

  /** A connection that never was is not tried again: the browser does not tell why it was refused. */
  #retry(): void {
    this.#lostAt ||= performance.now()
    const isOver = performance.now() - this.#lostAt > giveUpAfterMs
    if (!this.#hasOpened || isOver)
      return this.#options.onState({
        is: 'ended',
        reason: this.#hasOpened ? 'The connection was lost.' : refused,
      })
    this.#options.onState({ is: 'lost' })
    setTimeout(() => void this.#open(), this.#retryMs)
    this.#retryMs = Math.min(2 * this.#retryMs, longestRetryMs)
  }

  #send(message: FromClient): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }
}

const endedWith = (code: number): State => ({
  is: 'ended',
  reason: code === 0 ? 'The shell has ended.' : `The shell has ended with exit status ${code}.`,
})

/** A token, or undefined where the panel cannot be reached. */
async function tokenFor(uid: number): Promise<string | undefined> {
  try {
    return (await run(auth.createSocketToken({ body: { purpose: 'terminal', uid } }))).token
  } catch {
    return undefined
  }
}
