import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import type { Engine } from '../engine.ts'
import { Inspected } from '../shapes.ts'

interface NameArgs {
  /** The full id. */
  readonly id: string
  readonly name: string
  /** Whether the engine starts it by itself. */
  readonly restartPolicy: string
}

interface Naming {
  readonly name: string
  readonly restartPolicy: string
}

/** Gives a container another name and restart policy. */
export function nameContainer(kind: string, engine: Engine): StepKind<NameArgs, Was<Naming>, null> {
  const pathOf = (id: string, verb: string) => `/containers/${encodeURIComponent(id)}/${verb}`
  return stateStep<NameArgs, Naming>({
    name: kind,
    plan: ({ id, name }) => ({ title: `Rename the container ${id.slice(0, 12)} to ${name}` }),
    read: async ({ id }) => {
      const found = await engine.find(Inspected, pathOf(id, 'json'))
      return (
        found && {
          name: found.Name.replace(/^\//, ''),
          restartPolicy: found.HostConfig.RestartPolicy.Name || 'no',
        }
      )
    },
    wanted: ({ name, restartPolicy }) => ({ name, restartPolicy }),
    write: async ({ id }, state, { now }) => {
      if (state === undefined) return
      if (state.restartPolicy !== now?.restartPolicy)
        await engine.send({
          method: 'POST',
          path: pathOf(id, 'update'),
          body: { RestartPolicy: { Name: state.restartPolicy } },
        })
      if (state.name !== now?.name)
        await engine.send({
          method: 'POST',
          path: `${pathOf(id, 'rename')}?${new URLSearchParams({ name: state.name })}`,
        })
    },
    notUndone: 'other containers may have been created in its place',
  })
}
