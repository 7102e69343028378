import { Problem } from '../../core/problem.ts'
import type { Socket } from '../../core/reply.ts'
import type { Dialled } from '../../host/fetch/index.ts'
import { isOver } from './activate.ts'
import type { Partner } from './context.ts'
import { type PartnerFrame, readFrame, readMessage } from './frames.ts'
import { openChat } from './partner-api.ts'
import { keepBlock, keepMessage, type TrialRow } from './store.ts'

interface Ends {
  readonly socket: Socket
  readonly userId: number
}

const [unsupported, blockedTrial] = [1003, 4003]
const lost = 'The connection to the AI partner was lost. Your next message connects again.'

/** The chat of one browser with the partner. Where the partner's end is cut, the next message opens another. */
export class Relay {
  readonly #on: Partner
  readonly #socket: Socket
  readonly #userId: number
  readonly #left = new AbortController()
  #partner: Dialled | undefined

  constructor(on: Partner, { socket, userId }: Ends) {
    this.#on = on
    this.#socket = socket
    this.#userId = userId
  }

  /** Carries frames both ways until the browser leaves. */
  async carry(): Promise<void> {
    try {
      const trial = await this.#usableTrial()
      if (trial === undefined) return
      await this.#connect(trial)
      for await (const frame of this.#socket.messages) {
        if (typeof frame !== 'string') return this.#socket.close(unsupported, 'Send messages as text')
        await this.#take(frame)
      }
    } finally {
      this.#left.abort()
      this.#partner?.close()
    }
  }

  async #take(frame: string): Promise<void> {
    const read = readMessage(frame)
    if ('mistake' in read) return this.#tell({ type: 'error', text: read.mistake })
    const trial = await this.#usableTrial()
    if (trial === undefined) return
    await keepMessage(this.#on.store, { userId: this.#userId, role: 'user', text: read.text })
    const partner = this.#partner ?? (await this.#connect(trial))
    if (partner === undefined) return
    // what is sent into a connection that is being cut is told by its end
    await partner.send(JSON.stringify({ type: 'message', text: read.text })).catch(() => {})
  }

  /** The trial, unless it has ended or was blocked, also by another chat: then the browser is told. */
  async #usableTrial(): Promise<TrialRow | undefined> {
    const trial = await this.#on.queries.trial()
    if (trial === undefined || isOver(trial, new Date())) {
      await this.#tell({ type: 'error', text: 'The trial of the AI partner has ended' })
      this.#socket.close(blockedTrial, 'The trial has ended')
      return undefined
    }
    if (trial.is_blocked === 0) return trial
    await this.#tell({ type: 'blocked', text: trial.blocked_message })
    this.#socket.close(blockedTrial, 'The trial is blocked')
    return undefined
  }

  async #connect(trial: TrialRow): Promise<Dialled | undefined> {
    const token = this.#on.store.unseal(trial.sealed_token)
    const wanted = { token, socketUrl: trial.socket_url }
    try {
      this.#partner = await openChat(this.#on.server, wanted, this.#left.signal)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      await this.#tell({ type: 'error', text: `The AI partner cannot be reached: ${error.message}` })
      return undefined
    }
    void this.#listen(this.#partner)
    return this.#partner
  }

  async #listen(partner: Dialled): Promise<void> {
    try {
      for await (const text of partner.messages) await this.#pass(text)
    } catch (error) {
      // a broken or oversized frame ends the connection, as a cut does
      this.#on.log.warn({ err: error }, 'a chat with the AI partner broke')
    }
    partner.close()
    if (this.#partner === partner) this.#partner = undefined
    if (!this.#left.signal.aborted) await this.#tell({ type: 'error', text: lost })
  }

  /** What ends a turn is kept before it is passed on: who has seen it finds it again. */
  async #pass(text: string): Promise<void> {
    const frame = readFrame(text)
    if (frame === undefined) return
    const said = frame.text ?? ''
    if ((frame.type === 'done' || frame.type === 'blocked') && said !== '')
      await keepMessage(this.#on.store, { userId: this.#userId, role: 'assistant', text: said })
    if (frame.type === 'blocked') await keepBlock(this.#on.store, said)
    await this.#tell(frame)
  }

  /** A browser that has left ends its messages, so that nobody misses what is not sent. */
  async #tell(frame: PartnerFrame): Promise<void> {
    await this.#socket.send(JSON.stringify(frame)).catch(() => {})
  }
}
