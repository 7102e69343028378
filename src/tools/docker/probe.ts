import Type from 'typebox'
import { poll } from '../../core/poll.ts'
import { Problem } from '../../core/problem.ts'
import type { Engine } from './engine.ts'
import { type Inspected, Made } from './shapes.ts'

const Ended = Type.Object({
  Running: Type.Boolean(),
  ExitCode: Type.Union([Type.Integer(), Type.Null()]),
})

/** The longest that a check may take. */
const limitMs = 10_000
const everyMs = 100
/** Of the container, in which the engine runs such a check too. */
const shell = '/bin/sh'

/**
 * Runs the health check of a container and returns true if it succeeds, as the engine does so for the first time
 * only after a whole interval (before API 1.44, which Debian does not have yet). False if the container has no check.
 */
export async function isProbedHealthy(engine: Engine, { Id, Config }: Inspected): Promise<boolean> {
  const Cmd = commandOf(Config.Healthcheck?.Test ?? [])
  if (Cmd === undefined) return false
  const ended = async (exec: string) => {
    const state = await engine.find(Ended, `/exec/${exec}/json`)
    return state?.Running === true ? undefined : (state?.ExitCode ?? null)
  }
  try {
    const path = `/containers/${Id}/exec`
    const { Id: exec } = await engine.read(Made, { method: 'POST', path, body: { Cmd } })
    await engine.send({ method: 'POST', path: `/exec/${exec}/start`, body: { Detach: true } })
    return (await poll(() => ended(exec), { limitMs, everyMs })) === 0
  } catch (error) {
    if (error instanceof Problem) return false // the container has ended meanwhile, which the next look tells
    throw error
  }
}

function commandOf([kind, ...command]: readonly string[]): readonly string[] | undefined {
  if (kind === 'CMD') return command
  return kind === 'CMD-SHELL' ? [shell, '-c', ...command] : undefined
}
