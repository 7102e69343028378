import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { poll } from '../../core/poll.ts'
import type { Files } from '../../host/files.ts'
import type { HaproxyLayout } from './layout.ts'
import type { HaproxyProgram } from './program.ts'

/** The callbacks of a watch. */
export interface Watcher {
  onChange(): Promise<void>
  onError(error: unknown): void
}

/** Ends a watch. */
export interface Watching {
  stop(): Promise<void>
}

const everyMs = 10_000
/** A start or reload either completes within this time or is detected by the next periodic check. */
const startingMs = 5000
const pollMs = 5

/**
 * Calls back once at first, and then each time HAProxy's processes change, regardless of who started them. A
 * start and a reload both rewrite the pid file and the master's socket shortly before the new process accepts
 * connections: from then on the panel polls frequently.
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
  let checking: Promise<unknown> | undefined
  const stopping = new AbortController()
  const noticeChange = async () => {
    const generation = await program.generation()
    if (generation === undefined || generation === known) return undefined
    known = generation
    await onChange()
    return generation
  }
  const check = (limitMs: number) => {
    checking ??= poll(noticeChange, { limitMs, everyMs: pollMs, signal: stopping.signal })
      .catch(onError)
      .finally(() => (checking = undefined))
  }
  const interval = setInterval(() => check(0), everyMs).unref()
  const paths = [layout.pidPath, layout.masterSocketPath].map((path) => files.real(path))
  const watchers = [...new Set(paths.map(dirname))].flatMap((directory) => {
    const names = paths.filter((path) => dirname(path) === directory).map((path) => basename(path))
    return (
      watchDirectory(directory, (name) => names.some((each) => name.startsWith(each)) && check(startingMs)) ??
      []
    )
  })
  check(0)
  return {
    stop: async () => {
      stopping.abort()
      clearInterval(interval)
      for (const watcher of watchers) watcher.close()
      await checking
    },
  }
}

/** A directory that does not exist is only checked periodically. */
function watchDirectory(directory: string, onName: (name: string) => void): FSWatcher | undefined {
  try {
    const watcher = watch(directory, { persistent: false }, (_event, name) => name !== null && onName(name))
    watcher.on('error', () => watcher.close()) // the directory was removed: the periodic checks continue
    return watcher
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
