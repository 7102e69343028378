import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** A server in its own process, which reports the CPU time that it has used. */
export interface ServerProcess {
  readonly url: string
  /** The bearer token that it accepts, if any. */
  readonly token: string
  /** CPU time used since its start, user and system, in microseconds. */
  cpuMicros(): Promise<number>
  stop(): Promise<void>
}

interface Ready {
  readonly url: string
  readonly token?: string
}

const readyLimitMs = 30_000

/** What the entry of the shipped panel does before it loads the panel, and once work lasts. */
const memory = new URL('in-work.ts', import.meta.url).href

/** Starts the panel by a script that calls `serveParent`. */
export function startPanel(script: string, args: readonly string[] = []): Promise<ServerProcess> {
  return startServer(script, args, ['--import', memory])
}

/** Starts a script that calls `serveParent`; its log is discarded. */
export async function startServer(
  script: string,
  args: readonly string[] = [],
  execArgv: readonly string[] = [],
): Promise<ServerProcess> {
  const child = fork(script, [...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...execArgv],
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${script} ended with ${code as number} before it was ready`)
  })
  const timeout = AbortSignal.timeout(readyLimitMs)
  const [ready] = (await Promise.race([once(child, 'message', { signal: timeout }), ended])) as [Ready]
  ended.catch(() => {}) // from here on its end is wanted
  return { url: ready.url, token: ready.token ?? '', cpuMicros: () => askCpu(child), stop: () => stop(child) }
}

async function askCpu(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message')
  child.send('cpu')
  const [used] = (await answer) as [number]
  return used
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Tells the parent that this server is ready, and answers its requests. */
export function serveParent(ready: Ready): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.(user + system)
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.(ready)
}
