import type { Caller, Visitor } from '../../core/caller.ts'
import type { Log, RpcHeaders } from '../../core/endpoint.ts'

interface ScopeParts {
  readonly visitor: Visitor
  readonly caller: Caller | undefined
  readonly log: Log
  readonly id: (table: string) => number
  readonly range: string | undefined
  readonly ifRange: string | undefined
  readonly lastEventId: string | undefined
  readonly tokenUserId: number | undefined
  readonly connectedAt: number | null
  readonly isDirect: () => boolean
  readonly rpcHeaders: () => RpcHeaders
}

/**
 * The request as one run receives it. Its signals are made when they are first read, because most runs never
 * read them.
 */
export class Scope {
  readonly visitor: Visitor
  readonly callerIfAny: Caller | undefined
  readonly log: Log
  id: (table: string) => number
  range: string | undefined
  readonly ifRange: string | undefined
  readonly lastEventId: number | undefined
  readonly tokenUserId: number | undefined
  readonly connectedAt: number | null
  readonly isDirect: () => boolean
  readonly rpcHeaders: () => RpcHeaders
  readonly now = new Date()
  declare readonly caller: Caller
  declare readonly signal: AbortSignal
  params: unknown
  query: unknown
  body: unknown
  target: unknown
  readonly #request = new Ending()
  readonly #act = new Ending()

  // own properties, so that `...request` of a run contains them
  static readonly #lazySignal = {
    enumerable: true,
    get(this: Scope): AbortSignal {
      return this.#request.signal
    },
  }
  static readonly #nobody = {
    get(): never {
      throw new Error('This endpoint is open: nobody is signed in')
    },
  }

  constructor({
    visitor,
    caller,
    log,
    id,
    range,
    ifRange,
    lastEventId,
    tokenUserId,
    connectedAt,
    isDirect,
    rpcHeaders,
  }: ScopeParts) {
    this.tokenUserId = tokenUserId
    this.connectedAt = connectedAt
    this.isDirect = isDirect
    this.rpcHeaders = rpcHeaders
    this.visitor = visitor
    this.callerIfAny = caller
    if (caller) this.caller = caller
    else Object.defineProperty(this, 'caller', Scope.#nobody)
    Object.defineProperty(this, 'signal', Scope.#lazySignal)
    this.log = log
    this.id = id
    this.range = range
    this.ifRange = ifRange
    this.lastEventId =
      lastEventId !== undefined && /^\d+$/.test(lastEventId)
        ? Math.min(Number(lastEventId), Number.MAX_SAFE_INTEGER) // what a store on a server takes
        : undefined
  }

  /** Ends when the time is up or the panel stops: a disconnect does not abort a change that has begun. */
  get actSignal(): AbortSignal {
    return this.#act.signal
  }

  /** Ends the run: the time is up, or the panel stops. */
  end(reason: Error): void {
    this.#request.end(reason)
    this.#act.end(reason)
  }

  /** Ends the run: the caller has disconnected. */
  leave(reason: Error): void {
    this.#request.end(reason)
  }
}

/** A signal that is created on its first read. */
class Ending {
  #abort: AbortController | undefined
  #reason: Error | undefined

  get signal(): AbortSignal {
    this.#abort ??= new AbortController()
    if (this.#reason) this.#abort.abort(this.#reason)
    return this.#abort.signal
  }

  end(reason: Error): void {
    this.#reason ??= reason
    this.#abort?.abort(reason)
  }
}
