import type { StepKind, StepRun } from '../../../core/change.ts'
import { poll } from '../../../core/poll.ts'
import type { Engine } from '../engine.ts'
import { isProbedHealthy } from '../probe.ts'
import { EngineFailed } from '../problems.ts'
import { Inspected } from '../shapes.ts'

interface HealthArgs {
  /** An id or a name. */
  readonly id: string
  readonly name: string
}

/** A program that stops as often as this since it was launched will not come up by waiting. */
const mostRestarts = 3
const limitMs = 15 * 60_000
/** A program that ends soon after its start may answer before that. */
const provenMs = 2000
/** A program that takes longer than a few seconds is not slowed down by checks. */
const everyMs = (elapsedMs: number) => (elapsedMs < 5000 ? 500 : 2000)

/** Waits until the health check of a started container succeeds; without one, until it runs. Changes nothing. */
export function awaitHealth(kind: string, engine: Engine): StepKind<HealthArgs, null, null> {
  const find = (id: string) => engine.find(Inspected, `/containers/${encodeURIComponent(id)}/json`)
  const isUp = async (found: Inspected): Promise<boolean> => {
    if (found.State.Status !== 'running') return false
    const health = found.State.Health?.Status ?? 'healthy'
    if (health === 'healthy') return true
    const ranMs = Date.now() - Date.parse(found.State.StartedAt)
    return health === 'starting' && ranMs >= provenMs && isProbedHealthy(engine, found)
  }
  return {
    name: kind,
    plan: ({ name }) => ({ title: `Wait until ${name} is healthy` }),
    observe: async () => null,
    act: async ({ id, name }, run) => {
      await awaitHealthy(name, { find: () => find(id), isUp }, run)
      return null
    },
    undo: async () => {},
    check: async ({ id }) => {
      const found = await find(id)
      return found !== undefined && (await isUp(found)) ? 'wanted' : 'before'
    },
  }
}

interface Looks {
  readonly find: () => Promise<Inspected | undefined>
  readonly isUp: (found: Inspected) => Promise<boolean>
}

async function awaitHealthy(
  name: string,
  { find, isUp }: Looks,
  { progress, signal }: Pick<StepRun<null>, 'progress' | 'signal'>,
): Promise<void> {
  progress(null, `Waiting until ${name} is healthy`)
  const attempt = async () => {
    const found = await find()
    if (found === undefined) throw EngineFailed(`The container ${name} is gone`)
    const reason = failureOf(found)
    if (reason !== undefined) throw EngineFailed(`The container ${name} ${reason}`)
    return (await isUp(found)) ? true : undefined
  }
  const isHealthy = await poll(attempt, { limitMs, everyMs, signal })
  signal.throwIfAborted()
  if (!isHealthy) throw EngineFailed(`The container ${name} is not healthy after 15 minutes`)
}

const mostOutput = 1000

/** Why a container will not become healthy; undefined while it may. */
function failureOf({ State, RestartCount }: Inspected): string | undefined {
  if (State.Status === 'exited' || State.Status === 'dead' || RestartCount >= mostRestarts)
    return `does not keep running${endOf(State)}; see its log`
  // the engine calls every container unhealthy that has ended and waits for its next start
  if (State.Status !== 'running' || State.Health?.Status !== 'unhealthy') return undefined
  const output = State.Health.Log?.at(-1)?.Output.trim().slice(0, mostOutput) ?? ''
  return `is unhealthy: ${output || 'its health check fails'}`
}

/** The engine resets the exit code when it starts a container again. */
function endOf({ Error: error, ExitCode }: Inspected['State']): string {
  if (error !== '') return `: ${error}`
  return ExitCode === 0 ? '' : `: it ended with the exit code ${ExitCode}`
}
