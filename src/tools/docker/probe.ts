import Type from 'typebox'
import { poll } from '../../core/poll.ts'
import { Problem } from '../../core/problem.ts'
import type { Engine } from './engine.ts'
import { type Inspected, Made } from './shapes.ts'

const Ended = Type.Object({
  Running: Type.Boolean(),
  ExitCode: Type.Union([Type.Integer(), Type.Null()]),
})

/** The longest that one call waits for a check; a check that takes longer is waited for by the next call. */
const limitMs = 10_000
const everyMs = 100
/** Of the container, in which the engine runs such a check too. */
const shell = '/bin/sh'

/** Runs the health check of a container, and returns true if it succeeds; false if the container has none. */
export type Probe = (found: Inspected, signal?: AbortSignal) => Promise<boolean>

/**
 * Opens a probe of a container, as the engine runs a health check for the first time only after a whole interval (before
 * API 1.44, which Debian does not have yet). It never runs two checks at a time, so that those that hang do not pile up.
 */
export function openProbe(engine: Engine): Probe {
  let running: string | undefined
  const ended = async (exec: string) => {
    const state = await engine.find(Ended, `/exec/${exec}/json`)
    return state?.Running === true ? undefined : (state?.ExitCode ?? null)
  }
  return async ({ Id, Config }, signal) => {
    const Cmd = commandOf(Config.Healthcheck?.Test ?? [])
    if (Cmd === undefined) return false
    try {
      running ??= await startCheck(engine, Id, Cmd)
      const exec = running
      const code = await poll(() => ended(exec), { limitMs, everyMs, signal })
      if (code !== undefined) running = undefined
      return code === 0
    } catch (error) {
      running = undefined
      if (error instanceof Problem) return false // the container has ended meanwhile, which the next look tells
      throw error
    }
  }
}

async function startCheck(engine: Engine, id: string, Cmd: readonly string[]): Promise<string> {
  const made = await engine.read(Made, { method: 'POST', path: `/containers/${id}/exec`, body: { Cmd } })
  await engine.send({ method: 'POST', path: `/exec/${made.Id}/start`, body: { Detach: true } })
  return made.Id
}

function commandOf([kind, ...command]: readonly string[]): readonly string[] | undefined {
  if (kind === 'CMD') return command
  return kind === 'CMD-SHELL' ? [shell, '-c', ...command] : undefined
}
