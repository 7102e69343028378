import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import type { Engine } from '../engine.ts'
import { Inspected } from '../shapes.ts'

interface RenameArgs {
  /** The full id. */
  readonly id: string
  readonly name: string
}

/** Gives a container another name. */
export function renameContainer(kind: string, engine: Engine): StepKind<RenameArgs, Was<string>, null> {
  return stateStep<RenameArgs, string>({
    name: kind,
    plan: ({ id, name }) => ({ title: `Rename the container ${id.slice(0, 12)} to ${name}` }),
    read: async ({ id }) => {
      const found = await engine.find(Inspected, `/containers/${encodeURIComponent(id)}/json`)
      return found?.Name.replace(/^\//, '')
    },
    wanted: ({ name }) => name,
    write: async ({ id }, name = '') =>
      engine.send({
        method: 'POST',
        path: `/containers/${encodeURIComponent(id)}/rename?${new URLSearchParams({ name })}`,
      }),
  })
}
