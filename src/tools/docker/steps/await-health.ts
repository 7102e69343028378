import type { StepKind, StepRun } from '../../../core/change.ts'
import { poll } from '../../../core/poll.ts'
import type { Engine } from '../engine.ts'
import { openProbe, type Probe } from '../probe.ts'
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
  return {
    name: kind,
    plan: ({ name }) => ({ title: `Wait until ${name} is healthy` }),
    observe: async () => null,
    act: async ({ id, name }, run) => {
      await awaitHealthy(name, { find: () => find(id), probe: openProbe(engine) }, run)
      return null
    },
    undo: async () => {},
    check: async ({ id }) => {
      const found = await find(id)
      return found !== undefined && (await isUp(found, openProbe(engine))) ? 'wanted' : 'before'
    },
  }
}

async function isUp(found: Inspected, probe: Probe, signal?: AbortSignal): Promise<boolean> {
  const { Status, Health, StartedAt } = found.State
  if (Status !== 'running') return false
  if (Health === undefined || Health.Status === 'healthy') return true
  if (Health.Status !== 'starting' || Date.now() - Date.parse(StartedAt) < provenMs) return false
  return probe(found, signal)
}

interface Looks {
  readonly find: () => Promise<Inspected | undefined>
  readonly probe: Probe
}

async function awaitHealthy(
  name: string,
  { find, probe }: Looks,
  { progress, signal }: Pick<StepRun<null>, 'progress' | 'signal'>,
): Promise<void> {
  progress(null, `Waiting until ${name} is healthy`)
  const attempt = async () => {
    const found = await find()
    if (found === undefined) throw EngineFailed(`The container ${name} is gone`)
    const reason = failureOf(found)
    if (reason !== undefined) throw EngineFailed(`The container ${name} ${reason}`)
    return (await isUp(found, probe, signal)) ? true : undefined
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
