import { UploadSuperseded } from './problems.ts'

interface ActiveUpload {
  readonly abort: AbortController
  readonly over: Promise<void>
  isFinishing: boolean
}

/** Control of a running request on an upload. */
export interface TakeoverRun {
  /** Aborts if the caller disconnects or another request takes over the upload. */
  readonly signal: AbortSignal
  /** Makes later requests wait instead of aborting this one. */
  finishing(): void
}

/**
 * Runs one request at a time per upload. A new request aborts one that is still receiving, because its caller has lost the connection and the panel
 * has not noticed yet.
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
