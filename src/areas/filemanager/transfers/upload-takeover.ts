import { UploadSuperseded } from './problems.ts'

interface ActiveUpload {
  readonly abort: AbortController
  readonly over: Promise<void>
  isFinishing: boolean
}

/** What a turn may say of itself. */
export interface TakeoverRun {
  /** Ends when the caller goes away or another request takes the upload over. */
  readonly signal: AbortSignal
  /** From here on nothing ends it: whoever comes next waits. */
  finishing(): void
}

/**
 * One request at a time for each upload. A new one takes over from one that still receives: its caller lost the connection, and the panel has
 * not noticed yet.
 */
export class UploadTakeover {
  readonly #active = new Map<number, ActiveUpload>()

  isTaken(id: number): boolean {
    return this.#active.has(id)
  }

  async take<T>(
    id: number,
    signal: AbortSignal | undefined,
    work: (run: TakeoverRun) => Promise<T>,
  ): Promise<T> {
    for (let before = this.#active.get(id); before !== undefined; before = this.#active.get(id)) {
      if (!before.isFinishing) before.abort.abort(UploadSuperseded())
      await before.over
    }
    signal?.throwIfAborted()
    const abort = new AbortController()
    const over = Promise.withResolvers<void>()
    const active: ActiveUpload = { abort, over: over.promise, isFinishing: false }
    this.#active.set(id, active)
    try {
      return await work({
        signal: AbortSignal.any([abort.signal, ...(signal ? [signal] : [])]),
        finishing: () => void (active.isFinishing = true),
      })
    } finally {
      this.#active.delete(id)
      over.resolve()
    }
  }
}
