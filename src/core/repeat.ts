/** Work that the panel repeats while it runs. */
export interface Repeated {
  readonly everyMs: number
  /** The signal ends when the panel stops. */
  readonly work: (signal: AbortSignal) => Promise<unknown>
  /** True if it is done at once too, instead of after the first interval. */
  readonly isAtOnce?: boolean
  /** Receives what the work threw, unless the panel is stopping. */
  readonly failed: (error: unknown) => void
}

/** Repeats work until it is stopped; a turn that comes while the one before still runs is left out. */
export function repeat({ everyMs, work, isAtOnce = false, failed }: Repeated): { stop(): Promise<void> } {
  const halt = new AbortController()
  let running: Promise<void> | undefined
  const turn = async () => {
    try {
      await work(halt.signal)
    } catch (error) {
      if (!halt.signal.aborted) failed(error)
    }
  }
  const begin = () => void (running ??= turn().finally(() => (running = undefined)))
  if (isAtOnce) begin()
  const timer = setInterval(begin, everyMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      halt.abort(new Error('the panel is stopping'))
      await running
    },
  }
}
