import Type from 'typebox'
import type { StepKind } from '../../../core/change.ts'
import { BadRequest } from '../../../core/problem.ts'
import type { Engine } from '../engine.ts'
import { changeLabel } from '../spec.ts'

interface VolumeArgs {
  readonly name: string
  /** Drawn by the caller: tells the volume from another of the same name. */
  readonly token: string
}

const Volume = Type.Object({
  Name: Type.String(),
  Labels: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()]),
})

/** Creates a volume; the undo removes it with what was copied to it. */
export function createVolume(kind: string, engine: Engine): StepKind<VolumeArgs, null, null> {
  const find = ({ name }: VolumeArgs) => engine.find(Volume, `/volumes/${encodeURIComponent(name)}`)
  const isOwn = async (args: VolumeArgs) => (await find(args))?.Labels?.[changeLabel] === args.token
  const plan = ({ name }: VolumeArgs) => ({
    title: `Create the volume ${name}`,
    objects: [{ name, before: null, after: 'an empty volume' }],
  })
  return {
    name: kind,
    plan,
    changed: (args) => ({ objects: plan(args).objects }),
    observe: async (args) => {
      const found = await find(args)
      if (found !== undefined && found.Labels?.[changeLabel] !== args.token)
        throw BadRequest(`name: there is a volume ${args.name} already: choose another name`)
      return null
    },
    act: async ({ name, token }) => {
      const body = { Name: name, Labels: { [changeLabel]: token } }
      await engine.send({ method: 'POST', path: '/volumes/create', body })
      return null
    },
    undo: async (args) => {
      if (await isOwn(args))
        await engine.send({ method: 'DELETE', path: `/volumes/${encodeURIComponent(args.name)}` })
    },
    check: async (args) => ((await isOwn(args)) ? 'wanted' : 'before'),
    notUndone: 'the volume may have been written to since',
  }
}
