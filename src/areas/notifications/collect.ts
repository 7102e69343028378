import type { Log } from '../../core/endpoint.ts'
import { Problem } from '../../core/problem.ts'
import type { Store } from '../../store/store.ts'
import { raise } from './raise.ts'
import type { NoticeSource } from './source.ts'

const readSinceMs = 24 * 3_600_000
const mostNotices = 200
const settleMs = 1000

interface Collecting {
  readonly store: Store
  readonly log: Log
  /** Called after each reading. */
  readonly onRaised: () => void
  readonly now?: () => Date
}

/** Reads one source and raises what is new. */
export async function collect(
  { store, now = () => new Date() }: Pick<Collecting, 'store' | 'now'>,
  source: NoticeSource,
): Promise<void> {
  const at = now()
  const current = await source.read(new Date(at.getTime() - readSinceMs))
  await raise({ store, source, now: at }, current.slice(0, mostNotices))
}

/**
 * Reads the sources until it is stopped: one that names tables at once and within a second after they were
 * written, one that names an interval as often. A reading that fails is logged once, until one succeeds.
 */
export function watchSources(sources: readonly NoticeSource[], on: Collecting): { stop(): Promise<void> } {
  const watches = sources.map((source) => watchOf(source, on))
  const timers = watches.flatMap(({ source, read }) =>
    'seconds' in source.after ? [setInterval(read, source.after.seconds * 1000).unref()] : [],
  )
  for (const { source, read, readSoon } of watches)
    if (!('seconds' in source.after)) {
      on.store.onWritten(source.after, readSoon)
      void read()
    }
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(watches.map((watch) => watch.stop()))
    },
  }
}

function watchOf(source: NoticeSource, on: Collecting) {
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let [hasFailed, isStopped] = [false, false]
  const failed = (error: unknown) => {
    const named = { err: error, source: source.name }
    if (!hasFailed && !(error instanceof Problem)) on.log.error(named, 'reading notices failed')
    hasFailed = true
  }
  const read = () =>
    (running ??= collect(on, source)
      .then(() => {
        hasFailed = false
        on.onRaised()
      }, failed)
      .finally(() => (running = undefined)))
  return {
    source,
    read: () => void (isStopped || read()),
    readSoon: () => {
      if (isStopped || timer) return
      timer = setTimeout(() => {
        timer = undefined
        void Promise.resolve(running).then(() => (isStopped ? undefined : read()))
      }, settleMs).unref()
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
