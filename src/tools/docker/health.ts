import { setTimeout as delay } from 'node:timers/promises'
import type { Engine } from './engine.ts'
import { readLog } from './log.ts'
import { EngineFailed } from './problems.ts'
import { Inspected } from './shapes.ts'

interface Waiting {
  readonly signal: AbortSignal
  progress(percent: number | null, message: string): void
}

const intervalMs = 250
/** A container without a health check that has run this long has not failed at its start. */
const provenMs = 2000
/** The longest wait for a health check to succeed. */
const mostWaitMs = 300_000

/** Waits until a started container works; throws with what it printed last if it ends or becomes unhealthy. */
export async function awaitHealthy(engine: Engine, id: string, { signal, progress }: Waiting): Promise<void> {
  const begunMs = performance.now()
  progress(null, `Waiting until ${id} works`)
  for (;;) {
    signal.throwIfAborted()
    const found = await engine.find(Inspected, `/containers/${encodeURIComponent(id)}/json`)
    if (found === undefined) throw EngineFailed(`The container ${id} was removed while it started`)
    const { State, RestartCount } = found
    const waitedMs = performance.now() - begunMs
    if (State.Status === 'exited' && State.ExitCode === 0 && RestartCount === 0) return // it has done its work
    if (!State.Running || RestartCount > 0)
      throw EngineFailed(
        `The container ${id} ended with exit status ${State.ExitCode} after its start: ${await lastLines(engine, id)}`,
      )
    const health = State.Health?.Status ?? 'none'
    if (health === 'healthy' || (health === 'none' && waitedMs >= provenMs)) return
    if (health === 'unhealthy' || waitedMs >= mostWaitMs)
      throw EngineFailed(
        `The container ${id} is ${health}: ${State.Health?.Log?.at(-1)?.Output.trim().slice(0, 1000) ?? ''}`,
      )
    await delay(intervalMs, undefined, { signal })
  }
}

async function lastLines(engine: Engine, id: string): Promise<string> {
  const lines: string[] = []
  const signal = AbortSignal.timeout(5000)
  const wanted = { tail: 5, isFollowing: false, sinceMs: undefined, isTerminal: false, signal }
  try {
    for await (const { message } of readLog(engine, id, wanted)) lines.push(message.slice(0, 300))
  } catch {
    return 'its log cannot be read'
  }
  return lines.join('\n') || 'it printed nothing'
}
