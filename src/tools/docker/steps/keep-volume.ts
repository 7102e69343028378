import Type from 'typebox'
import type { StepKind } from '../../../core/change.ts'
import { finalStep } from '../../../core/steps.ts'
import type { Engine } from '../engine.ts'
import { changeLabel } from '../spec.ts'

interface VolumeArgs {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  /** Drawn by the caller: only a volume that this change created is removed by its undo. */
  readonly token: string
}

interface VolumeBefore {
  /** True if the host had the volume before. */
  readonly exists: boolean
}

const Volume = Type.Object({
  Name: Type.String(),
  Labels: Type.Optional(Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()])),
})

const findVolume = (engine: Engine, name: string) =>
  engine.find(Volume, `/volumes/${encodeURIComponent(name)}`)

const planned = ({ name }: { readonly name: string }) => ({
  objects: [{ name: `volume ${name}`, before: null, after: 'empty' }],
})

/** Creates a volume where the host has none of this name; one that exists is kept with its content. */
export function keepVolume(name: string, engine: Engine): StepKind<VolumeArgs, VolumeBefore, null> {
  return {
    name,
    plan: (args) => ({ title: `Create the volume ${args.name}` }),
    preview: async (args) =>
      (await findVolume(engine, args.name)) === undefined
        ? planned(args)
        : { details: ['The host has it; its content is kept'] },
    changed: (args, { exists }) => (exists ? {} : planned(args)),
    observe: async (args) => ({ exists: (await findVolume(engine, args.name)) !== undefined }),
    act: async (args, { before }) => {
      if (before.exists) return null
      const Labels = { ...args.labels, [changeLabel]: args.token }
      await engine.read(Volume, {
        method: 'POST',
        path: '/volumes/create',
        body: { Name: args.name, Labels },
      })
      return null
    },
    undo: async (args, { exists }) => {
      if (exists) return
      const found = await findVolume(engine, args.name)
      if (found?.Labels?.[changeLabel] === args.token) await removeOf(engine, args.name)
    },
    check: async (args, { exists }) => {
      if (exists) return 'wanted'
      return (await findVolume(engine, args.name)) === undefined ? 'before' : 'wanted'
    },
    notUndone: 'it may have content by now: remove the volume',
  }
}

interface RemoveVolumeArgs {
  readonly name: string
}

/** Removes a volume with its content. */
export function removeVolume(name: string, engine: Engine): StepKind<RemoveVolumeArgs, null, null> {
  return finalStep<RemoveVolumeArgs, null, null, unknown>({
    name,
    plan: (args) => ({
      title: `Remove the volume ${args.name}`,
      objects: [{ name: `volume ${args.name}`, before: 'with its content', after: null }],
    }),
    why: 'its content is deleted',
    act: async (args) => {
      if ((await findVolume(engine, args.name)) !== undefined) await removeOf(engine, args.name)
      return null
    },
    isDone: async (args) => (await findVolume(engine, args.name)) === undefined,
  })
}

const removeOf = (engine: Engine, name: string) =>
  engine.send({ method: 'DELETE', path: `/volumes/${encodeURIComponent(name)}` })
