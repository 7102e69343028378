import Type from 'typebox'
import type { StepKind } from '../../../core/change.ts'
import { finalStep } from '../../../core/steps.ts'
import type { Engine } from '../engine.ts'
import { EngineFailed } from '../problems.ts'
import { InspectedImage } from '../shapes.ts'

interface RemoveImageArgs {
  /** The full id. */
  readonly id: string
  /** The name for people. */
  readonly name: string
}

/** The names of an image: one with several is removed name by name, so that no container's image is forced away. */
const Named = Type.Object({ RepoTags: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])) })

/** Removes an image with all its names; the engine refuses one that a container uses. */
export function removeImage(name: string, engine: Engine): StepKind<RemoveImageArgs, null, null> {
  const find = (id: string) => engine.find(InspectedImage, `/images/${encodeURIComponent(id)}/json`)
  return finalStep<RemoveImageArgs, null, null, unknown>({
    name,
    plan: (args) => ({
      title: `Remove the image ${args.name}`,
      objects: [{ name: `image ${args.name}`, before: args.id.slice(0, 19), after: null }],
    }),
    why: 'the image has to be pulled or built again',
    act: async ({ id }) => {
      if ((await find(id)) === undefined) return null
      const { RepoTags } = await engine.read(Named, {
        method: 'GET',
        path: `/images/${encodeURIComponent(id)}/json`,
      })
      for (const tag of RepoTags ?? [])
        await engine.send({ method: 'DELETE', path: `/images/${encodeURIComponent(tag)}` })
      if ((await find(id)) !== undefined)
        await engine.send({ method: 'DELETE', path: `/images/${encodeURIComponent(id)}` })
      if ((await find(id)) !== undefined) throw EngineFailed(`The image ${id} is still there`)
      return null
    },
    isDone: async ({ id }) => (await find(id)) === undefined,
  })
}
