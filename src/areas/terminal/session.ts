import type { Socket } from '../../core/reply.ts'
import type { Size, Terminal } from '../../host/terminal/index.ts'
import { type FromTerminal, readMessage } from './messages.ts'
import { Recent } from './recent.ts'

/** The reason why a terminal ended. */
export type End = 'exit' | 'closed' | 'revoked' | 'idle' | 'left' | 'stopped'

interface Opening {
  readonly id: string
  readonly open: (size: Size, onOutput: (bytes: Buffer) => void) => Terminal
  readonly now: () => number
}

const keptBytes = 256 * 1024
const mostUnsent = 512 * 1024
const resumedAt = 128 * 1024
const unseenPauseMs = 250
const hangUpLimitMs = 5000
const firstSize = { cols: 80, rows: 24 }
const [done, policyViolation, takenOver] = [1000, 1008, 4001]
/** How a socket ends with its terminal; one whose session was ended is closed by the surface. */
const closing: Readonly<Record<End, readonly [code: number, reason: string]>> = {
  exit: [done, ''],
  closed: [done, ''],
  revoked: [policyViolation, 'Your session or API key has ended'],
  idle: [4000, 'The terminal was closed: nothing was typed or printed for an hour'],
  left: [done, ''],
  stopped: [1001, 'The panel is stopping'],
}

/** An open terminal: a login shell that outlives the sockets that show it, one at a time. */
export class Session {
  readonly id: string
  /** The reason of the end and the exit code of the shell, once it has ended. */
  readonly ended: Promise<{ readonly end: End; readonly code: number }>
  readonly #shell: Terminal
  readonly #recent = new Recent(keptBytes)
  readonly #now: () => number
  #viewer: Socket | undefined
  #end: End = 'exit'
  #hasEnded = false
  #unsentBytes = 0
  #unseenBytes = 0
  #isPaused = false
  #activeAt: number
  #leftAt: number | undefined

  constructor({ id, open, now }: Opening) {
    this.id = id
    this.#now = now
    this.#activeAt = now()
    this.#leftAt = now()
    this.#shell = open(firstSize, (bytes) => this.#show(bytes))
    this.ended = this.#shell.ended.then((code) => this.#finish(code))
  }

  /** Since when nothing was typed or printed, and since when no socket shows the terminal, in milliseconds. */
  get quiet(): { readonly activeAt: number; readonly leftAt: number | undefined } {
    return { activeAt: this.#activeAt, leftAt: this.#leftAt }
  }

  /** Shows the terminal on a socket until that closes; one that showed it before is closed. */
  async attach(socket: Socket, { isResumed }: { readonly isResumed: boolean }): Promise<void> {
    this.#viewer?.close(takenOver, 'The terminal was opened in another window')
    this.#viewer = socket
    this.#leftAt = undefined
    this.#unsentBytes = 0
    this.#unseenBytes = 0
    this.#resume()
    this.#tell(socket, { type: 'opened', terminal: this.id, resumed: isResumed })
    const before = this.#recent.read()
    if (before.length > 0) this.#send(socket, before)
    try {
      await this.#listen(socket)
    } finally {
      if (this.#viewer === socket) this.#detach()
    }
  }

  /**
   * Ends the terminal. Where its user left it, the shell receives SIGHUP, and what was started with `nohup` runs
   * on; otherwise, or if the shell stays, all that runs on the terminal is killed.
   */
  async end(end: End): Promise<void> {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#end = end
    this.#viewer?.close(...closing[end])
    if (end !== 'closed' && end !== 'left') return this.#shell.kill()
    this.#shell.hangUp()
    const late = setTimeout(() => void this.#shell.kill(), hangUpLimitMs).unref()
    void this.#shell.ended.then(() => clearTimeout(late))
  }

  async #listen(socket: Socket): Promise<void> {
    for await (const message of socket.messages) {
      if (this.#hasEnded || this.#viewer !== socket) return
      this.#activeAt = this.#now()
      if (typeof message !== 'string') {
        await this.#shell.write(message)
        continue
      }
      const read = readMessage(message)
      if (read === undefined) return socket.close(policyViolation, 'A text message was not understood')
      if (read.type === 'close') return this.end('closed')
      this.#shell.resize(read)
    }
  }

  #show(bytes: Buffer): void {
    this.#activeAt = this.#now()
    this.#recent.append(bytes)
    if (this.#hasEnded) return
    if (this.#viewer) return this.#send(this.#viewer, bytes)
    this.#unseenBytes += bytes.length
    if (this.#unseenBytes < keptBytes) return
    // a program that prints without end must not keep the panel busy while nobody looks
    this.#unseenBytes = 0
    this.#pause()
    setTimeout(() => this.#resume(), unseenPauseMs).unref()
  }

  /** Waits with the program for a slow reader: at most so many bytes are on their way. */
  #send(socket: Socket, bytes: Buffer): void {
    this.#unsentBytes += bytes.length
    if (this.#unsentBytes > mostUnsent) this.#pause()
    const sent = () => {
      if (this.#viewer !== socket) return
      this.#unsentBytes -= bytes.length
      if (this.#unsentBytes < resumedAt) this.#resume()
    }
    socket.send(bytes).then(sent, () => {}) // a broken socket ends its messages
  }

  #tell(socket: Socket, message: FromTerminal): void {
    socket.send(JSON.stringify(message)).catch(() => {})
  }

  #detach(): void {
    this.#viewer = undefined
    this.#leftAt = this.#now()
    this.#resume()
  }

  #pause(): void {
    if (!this.#isPaused) this.#shell.pause()
    this.#isPaused = true
  }

  #resume(): void {
    if (this.#isPaused) this.#shell.resume()
    this.#isPaused = false
  }

  #finish(code: number): { readonly end: End; readonly code: number } {
    if (!this.#hasEnded && this.#viewer) {
      this.#tell(this.#viewer, { type: 'exit', code })
      this.#viewer.close(...closing.exit)
    }
    this.#hasEnded = true
    return { end: this.#end, code }
  }
}
