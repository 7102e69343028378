import { UploadSuperseded } from './problems.ts'

interface Turn {
  readonly abort: AbortController
  readonly over: Promise<void>
  isFinishing: boolean
}

/** What a turn may say of itself. */
export interface TurnRun {
  /** Ends when the caller goes away or another request takes the upload over. */
  readonly signal: AbortSignal
  /** From here on nothing ends it: whoever comes next waits. */
  finishing(): void
}

/**
 * One request at a time for each upload. A new one takes over from one that still receives: its caller lost the connection, and the panel has
 * not noticed yet.
 */
export class Turns {
  readonly #turns = new Map<number, Turn>()

  isTaken(id: number): boolean {
    return this.#turns.has(id)
  }

  async take<T>(id: number, signal: AbortSignal | undefined, work: (run: TurnRun) => Promise<T>): Promise<T> {
    for (let before = this.#turns.get(id); before !== undefined; before = this.#turns.get(id)) {
      if (!before.isFinishing) before.abort.abort(UploadSuperseded())
      await before.over
    }
    signal?.throwIfAborted()
    const abort = new AbortController()
    const over = Promise.withResolvers<void>()
    const turn: Turn = { abort, over: over.promise, isFinishing: false }
    this.#turns.set(id, turn)
    try {
      return await work({
        signal: AbortSignal.any([abort.signal, ...(signal ? [signal] : [])]),
        finishing: () => void (turn.isFinishing = true),
      })
    } finally {
      this.#turns.delete(id)
      over.resolve()
    }
  }
}
