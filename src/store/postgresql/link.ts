import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import { pause } from '../../core/poll.ts'
import { Problem } from '../../core/problem.ts'
import { ConnectionLost, isStoreAway, messageOf } from '../disk-failures.ts'
import {
  DatabaseOvertaken,
  isUnanswered,
  isWorthWaiting,
  mostAttempts,
  queryProblem,
  unreachable,
} from './failures.ts'
import type { LinkOptions } from './link-options.ts'
import {
  type Answer,
  awaitReplicas,
  committing,
  isWorkingFor,
  openSession,
  send,
  type Session,
} from './session.ts'
import { watched } from './watched.ts'

/** A lost connection has its lock until the server has ended it. */
const lockAgainMs = 3000

interface Transaction {
  readonly client: Client
  hasWritten: boolean
  /** Counts its queries. */
  asked: number
  /** Something other than the store was awaited. */
  isLate: boolean
}

const asLost = (error: unknown): ConnectionLost =>
  error instanceof ConnectionLost ? error : new ConnectionLost(error)

const reading = /^\s*select\b/i

/**
 * The panel's connection to its database, which is opened again when it is lost. Its queries come one after another. A
 * transaction that is lost has no effect unless its commit was sent; then its mark decides.
 */
export class Link {
  readonly #url: string
  readonly #options: LinkOptions
  readonly #panel = `hostreeve ${randomBytes(8).toString('hex')}`
  #client: Client | undefined
  #connecting: Promise<void> | undefined
  #failure: unknown
  /** When the connection was lost. */
  #lostAt = 0
  #transaction: Transaction | undefined
  /** The mark of the last commit; undefined before the first connection. */
  #mark: string | undefined
  /** The mark of a commit whose answer was lost. */
  #unanswered: string | undefined
  #isOvertaken = false
  #isClosed = false

  constructor(url: string, options: LinkOptions) {
    this.#url = url
    this.#options = options
  }

  /** Connects for the first time; throws the reason why that is not possible. Returns when the database was last written. */
  async open(): Promise<number | undefined> {
    const limitMs = performance.now() + this.#options.startMs
    const told = new Set<string>()
    for (;;) {
      try {
        const { lockMs } = this.#options
        return this.#take(await openSession(this.#url, { panel: this.#panel, lockMs }))
      } catch (error) {
        if (!isWorthWaiting(error) || performance.now() > limitMs) throw error
        if (!told.has(messageOf(error))) this.#options.onWaiting(error)
        told.add(messageOf(error))
      }
      await pause(this.#options.retryMs)
    }
  }

  /** True if the connection has been away for longer than queries wait for it. */
  get isAway(): boolean {
    return this.#client === undefined && performance.now() - this.#lostAt > this.#options.patienceMs
  }

  async query(text: string, values: readonly unknown[]): Promise<Answer> {
    if (/^(?:begin|start transaction)\b/.test(text)) return this.#begin(text)
    if (text === 'commit') return this.#commit()
    if (text === 'rollback') return this.#rollback()
    if (this.#transaction !== undefined) return this.#within(this.#transaction, text, values)
    if (reading.test(text)) return this.#patiently((client) => this.#send(client, text, values))
    return this.#patiently((client) => this.#writeAlone(client, text, values))
  }

  #send(client: Client, text: string, values: readonly unknown[] = []): Promise<Answer> {
    return watched(send(client, text, values), {
      silentMs: this.#options.silentMs,
      isWorking: () => isWorkingFor(this.#url, this.#panel),
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#client?.end().catch(() => {})
  }

  async #begin(text: string): Promise<Answer> {
    const client = await this.#patiently(async (given) => {
      await this.#send(given, text)
      return given
    })
    this.#transaction = { client, hasWritten: false, asked: 0, isLate: false }
    this.#watch(this.#transaction)
    return { command: 'BEGIN', rowCount: null, rows: [] }
  }

  async #within(transaction: Transaction, text: string, values: readonly unknown[]): Promise<Answer> {
    if (!reading.test(text)) transaction.hasWritten = true
    transaction.asked += 1
    try {
      return await this.#send(transaction.client, text, values)
    } catch (error) {
      throw this.#named(transaction.client, error)
    } finally {
      this.#watch(transaction)
    }
  }

  /** The next query of a transaction, or its commit, follows within the turn of the event loop that an answer came in. */
  #watch(transaction: Transaction): void {
    const { asked } = transaction
    setImmediate(
      () => (transaction.isLate ||= this.#transaction === transaction && transaction.asked === asked),
    )
  }

  async #commit(): Promise<Answer> {
    const transaction = this.#transaction
    if (transaction === undefined) throw new Error('there is no transaction to commit')
    if (transaction.isLate) throw new Error('Something other than the store was awaited inside a transaction')
    transaction.asked += 1
    if (transaction.hasWritten) await this.#commitMarked(transaction.client)
    else await this.#end(transaction.client, 'commit')
    this.#transaction = undefined
    return { command: 'COMMIT', rowCount: null, rows: [] }
  }

  async #rollback(): Promise<Answer> {
    const transaction = this.#transaction
    this.#transaction = undefined
    if (transaction !== undefined && transaction.client === this.#client)
      await this.#end(transaction.client, 'rollback')
    return { command: 'ROLLBACK', rowCount: null, rows: [] }
  }

  /** Ends a transaction that has no effect; the server ends it with a connection that is lost. */
  async #end(client: Client, text: string): Promise<void> {
    await this.#send(client, text).catch((error) => void this.#named(client, error))
  }

  /** A single write is a transaction of its own, so that a lost answer can be looked up. */
  async #writeAlone(client: Client, text: string, values: readonly unknown[]): Promise<Answer> {
    await this.#send(client, 'begin')
    try {
      const answer = await this.#send(client, text, values)
      await this.#commitMarked(client)
      return answer
    } catch (error) {
      if (!(error instanceof ConnectionLost) && client === this.#client) await this.#end(client, 'rollback')
      throw error
    }
  }

  /** Commits with a mark. Where the answer is lost, the mark in the database tells whether the commit was carried out. */
  async #commitMarked(client: Client): Promise<void> {
    const mark = randomBytes(12).toString('base64url')
    this.#unanswered = mark
    try {
      await this.#send(client, committing(mark, new Date()))
      this.#mark = mark
    } catch (error) {
      const isLost = isUnanswered(error)
      const problem = this.#named(client, isLost ? asLost(error) : error)
      if (!isLost) throw problem
      await this.#nextConnection()
      if (this.#mark !== mark) throw problem
    } finally {
      this.#unanswered = undefined
    }
  }

  /**
   * Waits without a limit: a commit that may have been carried out is neither repeated nor undone. Where it cannot be known any
   * more, the next start of the panel learns the outcome from the rows.
   */
  async #nextConnection(): Promise<void> {
    while (this.#client === undefined) {
      if (this.#isClosed || this.#isOvertaken) await new Promise(() => {})
      await this.#connect()
    }
  }

  /** Runs a query outside of a transaction, again once a lost connection is back. */
  async #patiently<Value>(work: (client: Client) => Promise<Value>): Promise<Value> {
    for (let attempt = 1; ; attempt++) {
      const client = await this.#connected()
      try {
        return await work(client)
      } catch (error) {
        const problem = this.#named(client, error)
        if (!isStoreAway(problem) || attempt === mostAttempts) throw problem
      }
    }
  }

  async #connected(): Promise<Client> {
    while (this.#client === undefined) {
      if (this.#isOvertaken) throw queryProblem(new DatabaseOvertaken())
      const leftMs = this.#lostAt + this.#options.patienceMs - performance.now()
      if (this.#isClosed || leftMs <= 0) throw unreachable(this.#failure)
      const late = new AbortController()
      await Promise.race([this.#connect(), pause(leftMs, late.signal)])
      late.abort()
    }
    return this.#client
  }

  /** Connects again, however long that takes; one attempt at a time. */
  #connect(): Promise<void> {
    this.#connecting ??= this.#reconnect().finally(() => (this.#connecting = undefined))
    return this.#connecting
  }

  async #reconnect(): Promise<void> {
    while (this.#client === undefined && !this.#isClosed && !this.#isOvertaken) {
      try {
        const session = await openSession(this.#url, { panel: this.#panel, lockMs: lockAgainMs })
        await this.#confirm(session)
        this.#take(session)
      } catch (error) {
        this.#failure = new ConnectionLost(error)
        await pause(this.#options.retryMs)
      }
    }
  }

  /** A commit whose answer was lost may be on this server alone: the former connection no longer waits for a replica. */
  async #confirm({ client, mark }: Session): Promise<void> {
    if (mark !== this.#unanswered) return
    await awaitReplicas(client).catch((error: unknown) => {
      void client.end().catch(() => {})
      throw error
    })
  }

  /** Uses a connection, unless another panel has written since the former one. */
  #take({ client, mark, lastWrittenMs }: Session): number | undefined {
    const isOurs = this.#mark === undefined || mark === this.#mark || mark === this.#unanswered
    if (this.#isClosed || !isOurs) {
      this.#isOvertaken = !isOurs
      void client.end().catch(() => {})
      if (!isOurs && !this.#isClosed) this.#options.onOvertaken(new DatabaseOvertaken())
      return lastWrittenMs
    }
    this.#mark = mark
    this.#client = client
    client.on('error', (error) => this.#drop(client, error))
    client.on('end', () => this.#drop(client, new Error('the server ended it')))
    return lastWrittenMs
  }

  #drop(client: Client, cause: unknown): void {
    if (this.#client !== client) return
    this.#client = undefined
    this.#lostAt = performance.now()
    this.#failure = asLost(cause)
    void client.end().catch(() => {})
    if (!this.#isClosed) void this.#connect() // before another panel takes the lock
  }

  #named(client: Client, error: unknown): unknown {
    if (error instanceof Problem) return error
    if (!(error instanceof ConnectionLost)) return queryProblem(error)
    this.#drop(client, error)
    return unreachable(error)
  }
}
