import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Files } from '../../host/files.ts'
import type { HaproxyLayout } from './layout.ts'
import type { HaproxyProgram } from './program.ts'

/** Who is called back. */
export interface Watcher {
  onChange(): Promise<void>
  onError(error: unknown): void
}

/** What ends a watch. */
export interface Watching {
  stop(): Promise<void>
}

const everyMs = 10_000
/** A start or a reload is over by then, or comes with the next round. */
const startingMs = 5000
const pollMs = 5

/**
 * Calls back once, and then each time HAProxy's processes are others, whoever started them. A start and a reload write the pid file and
 * the master's socket anew, shortly before the new process takes connections: from then on the panel asks often.
 */
export function watchProcesses(
  {
    files,
    layout,
    program,
  }: { readonly files: Files; readonly layout: HaproxyLayout; readonly program: HaproxyProgram },
  { onChange, onError }: Watcher,
): Watching {
  let known: string | undefined
  let looking: Promise<void> | undefined
  let isStopped = false
  const lookUntil = async (end: number) => {
    do {
      const generation = await program.generation()
      if (generation !== undefined && generation !== known) {
        known = generation
        await onChange()
        break
      }
      if (performance.now() < end) await new Promise((resolve) => setTimeout(resolve, pollMs))
    } while (!isStopped && performance.now() < end)
  }
  const look = (forMs: number) => {
    looking ??= lookUntil(performance.now() + forMs)
      .catch(onError)
      .finally(() => (looking = undefined))
  }
  const rounds = setInterval(() => look(0), everyMs).unref()
  const places = [layout.pidPath, layout.masterSocketPath].map((path) => files.real(path))
  const watchers = [...new Set(places.map(dirname))].flatMap((directory) => {
    const names = places.filter((path) => dirname(path) === directory).map((path) => basename(path))
    return (
      watchDirectory(directory, (name) => names.some((each) => name.startsWith(each)) && look(startingMs)) ??
      []
    )
  })
  look(0)
  return {
    stop: async () => {
      isStopped = true
      clearInterval(rounds)
      for (const watcher of watchers) watcher.close()
      await looking
    },
  }
}

/** A directory that is not there is looked at in rounds alone. */
function watchDirectory(directory: string, onName: (name: string) => void): FSWatcher | undefined {
  try {
    const watcher = watch(directory, { persistent: false }, (_event, name) => name !== null && onName(name))
    watcher.on('error', () => watcher.close()) // the directory went: the rounds go on
    return watcher
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
