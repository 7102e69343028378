import type { StepKind } from '../../../core/change.ts'
import type { Engine } from '../engine.ts'
import { awaitHealthy } from '../health.ts'
import { EngineFailed } from '../problems.ts'
import { Inspected } from '../shapes.ts'

export const containerVerbs = ['start', 'stop', 'restart', 'pause', 'unpause', 'kill'] as const
export type ContainerVerb = (typeof containerVerbs)[number]

interface SwitchArgs {
  /** An id or a name. */
  readonly id: string
  readonly verb: ContainerVerb
  /** A start ends when the container is healthy, or fails; without a health check, when it has run for a while. */
  readonly isAwaited?: boolean
}

interface SwitchBefore {
  /** `created`, `running`, `paused`, `restarting`, `exited` or `dead`. */
  readonly status: string
  readonly startedAt: string
}

const reached: Readonly<Record<ContainerVerb, (status: string) => boolean>> = {
  start: isUp,
  restart: isUp,
  unpause: isUp,
  pause: (status) => status === 'paused',
  stop: (status) => !isUp(status) && status !== 'paused',
  kill: (status) => !isUp(status) && status !== 'paused',
}

function isUp(status: string): boolean {
  return status === 'running' || status === 'restarting'
}

/** Starts, stops, restarts, pauses, continues or kills a container; the undo returns it to its former state. */
export function switchContainer(name: string, engine: Engine): StepKind<SwitchArgs, SwitchBefore, null> {
  const find = (id: string) => engine.find(Inspected, `/containers/${encodeURIComponent(id)}/json`)
  const order = (id: string, verb: ContainerVerb) =>
    engine.send({ method: 'POST', path: `/containers/${encodeURIComponent(id)}/${verb}` })
  return {
    name,
    plan: ({ id, verb }) => ({ title: `${capital(verb)} the container ${id}` }),
    observe: async ({ id }) => {
      const found = await find(id)
      if (found === undefined) throw EngineFailed(`The container ${id} is gone`)
      return { status: found.State.Status, startedAt: found.State.StartedAt }
    },
    act: async ({ id, verb, isAwaited = false }, { signal, progress }) => {
      const now = (await find(id))?.State.Status ?? ''
      if (verb === 'restart' || !reached[verb](now)) await order(id, verb)
      if (isAwaited) await awaitHealthy(engine, id, { signal, progress })
      return null
    },
    undo: async ({ id }, { status }) => {
      const now = (await find(id))?.State.Status
      if (now === undefined || now === status) return
      if (status === 'paused') {
        if (!isUp(now)) await order(id, 'start')
        await order(id, 'pause')
        return
      }
      if (now === 'paused') await order(id, 'unpause')
      if (isUp(status) && !isUp(now) && now !== 'paused') await order(id, 'start')
      if (!isUp(status)) await order(id, 'stop')
    },
    check: async ({ id, verb, isAwaited = false }, { status, startedAt }) => {
      const now = (await find(id))?.State
      if (now === undefined) return 'other'
      if (isAwaited && isUp(now.Status) && now.Health?.Status !== 'healthy') return 'other' // it is not known to work
      if (verb === 'restart') return now.StartedAt === startedAt ? 'before' : 'wanted'
      if (reached[verb](now.Status)) return 'wanted'
      return now.Status === status || reached.stop(now.Status) === reached.stop(status) ? 'before' : 'other'
    },
    notUndone: 'the container may have changed since: start or stop it',
  }
}

const capital = (verb: string) => verb.charAt(0).toUpperCase() + verb.slice(1)
