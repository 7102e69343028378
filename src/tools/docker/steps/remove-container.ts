import type { StepKind } from '../../../core/change.ts'
import { finalStep } from '../../../core/steps.ts'
import type { Engine } from '../engine.ts'
import { EngineFailed } from '../problems.ts'
import { Inspected } from '../shapes.ts'

interface RemoveArgs {
  /** An id or a name. */
  readonly id: string
  /** Removes it also while it runs. */
  readonly isForced: boolean
  /** Removes its anonymous volumes too. */
  readonly withVolumes?: boolean
}

/** Removes a container; named volumes stay. */
export function removeContainer(name: string, engine: Engine): StepKind<RemoveArgs, null, null> {
  const find = (id: string) => engine.find(Inspected, `/containers/${encodeURIComponent(id)}/json`)
  return finalStep<RemoveArgs, null, null, unknown>({
    name,
    plan: ({ id }) => ({ title: `Remove the container ${id}` }),
    why: 'what the container wrote outside its volumes is deleted',
    observe: async ({ id, isForced }) => {
      const found = await find(id)
      if (found !== undefined && !isForced && found.State.Running)
        throw EngineFailed(`The container ${id} is running: stop it first, or remove it with force=1`)
      return null
    },
    act: async ({ id, isForced, withVolumes = false }) => {
      if ((await find(id)) === undefined) return null
      const query = new URLSearchParams({ force: isForced ? '1' : '0', v: withVolumes ? '1' : '0' })
      await engine.send({ method: 'DELETE', path: `/containers/${encodeURIComponent(id)}?${query}` })
      return null
    },
    isDone: async ({ id }) => (await find(id)) === undefined,
  })
}
