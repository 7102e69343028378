import type { Caller, Visitor } from '../../core/caller.ts'
import type { Log } from '../../core/endpoint.ts'

interface ScopeParts {
  readonly visitor: Visitor
  readonly caller: Caller | undefined
  readonly log: Log
  readonly id: (table: string) => number
  readonly range: string | undefined
  readonly ifRange: string | undefined
  readonly lastEventId: string | undefined
  readonly tokenUserId: number | undefined
}

/** What one run is handed beside its area. The signal is made when it is first asked for, as most runs never ask. */
export class Scope {
  readonly visitor: Visitor
  readonly callerIfAny: Caller | undefined
  readonly log: Log
  readonly id: (table: string) => number
  range: string | undefined
  readonly ifRange: string | undefined
  readonly lastEventId: number | undefined
  readonly tokenUserId: number | undefined
  readonly now = new Date()
  params: unknown
  query: unknown
  body: unknown
  target: unknown
  #abort: AbortController | undefined
  #reason: Error | undefined

  constructor({ visitor, caller, log, id, range, ifRange, lastEventId, tokenUserId }: ScopeParts) {
    this.tokenUserId = tokenUserId
    this.visitor = visitor
    this.callerIfAny = caller
    this.log = log
    this.id = id
    this.range = range
    this.ifRange = ifRange
    this.lastEventId =
      lastEventId !== undefined && /^\d+$/.test(lastEventId) ? Number(lastEventId) : undefined
  }

  get caller(): Caller {
    if (this.callerIfAny === undefined) throw new Error('This endpoint is open: nobody is signed in')
    return this.callerIfAny
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController()
    if (this.#reason) this.#abort.abort(this.#reason)
    return this.#abort.signal
  }

  /** Ends the signal: the caller went away, the time is up, or the panel stops. */
  end(reason: Error): void {
    this.#reason ??= reason
    this.#abort?.abort(reason)
  }
}
