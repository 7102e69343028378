import Type from 'typebox'
import type { StepKind } from '../../../core/change.ts'
import { finalStep } from '../../../core/steps.ts'
import type { Engine } from '../engine.ts'
import { EngineFailed, NameTaken } from '../problems.ts'
import { Made } from '../shapes.ts'
import { changeLabel } from '../spec.ts'

interface NetworkArgs {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  /** Drawn by the caller: tells the network from another of the same name. */
  readonly token: string
}

const Network = Type.Object({
  Id: Type.String(),
  Labels: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()]),
  Containers: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
})

/** Finds a network by its name or id. */
const findNetwork = (engine: Engine, name: string) =>
  engine.find(Network, `/networks/${encodeURIComponent(name)}`)

const planned = ({ name }: { readonly name: string }) => ({
  objects: [{ name: `network ${name}`, before: null, after: 'bridge' }],
})

/** Creates a network of its own for the containers of a stack. */
export function createNetwork(name: string, engine: Engine): StepKind<NetworkArgs, null, null> {
  const findOwn = async (args: NetworkArgs) => {
    const found = await findNetwork(engine, args.name)
    return found?.Labels?.[changeLabel] === args.token ? found : undefined
  }
  return {
    name,
    plan: (args) => ({ title: `Create the network ${args.name}`, ...planned(args) }),
    changed: planned,
    observe: async (args) => {
      const found = await findNetwork(engine, args.name)
      if (found !== undefined && found.Labels?.[changeLabel] !== args.token)
        throw NameTaken(`name: a network ${args.name} exists already; choose another name`)
      return null
    },
    act: async (args) => {
      if ((await findOwn(args)) !== undefined) return null
      const Labels = { ...args.labels, [changeLabel]: args.token }
      const body = { Name: args.name, CheckDuplicate: true, Driver: 'bridge', Labels }
      await engine.read(Made, { method: 'POST', path: '/networks/create', body })
      return null
    },
    undo: async (args) => {
      const own = await findOwn(args)
      if (own !== undefined) await engine.send({ method: 'DELETE', path: `/networks/${own.Id}` })
    },
    check: async (args) => ((await findOwn(args)) === undefined ? 'before' : 'wanted'),
    notUndone: 'containers may use the network by now: remove the stack',
  }
}

interface RemoveNetworkArgs {
  readonly name: string
}

/** Removes a network that no container uses any more. */
export function removeNetwork(name: string, engine: Engine): StepKind<RemoveNetworkArgs, null, null> {
  return finalStep<RemoveNetworkArgs, null, null, unknown>({
    name,
    plan: (args) => ({ title: `Remove the network ${args.name}` }),
    why: 'the addresses of its containers are lost',
    act: async (args) => {
      const found = await findNetwork(engine, args.name)
      if (found === undefined) return null
      if (Object.keys(found.Containers ?? {}).length > 0)
        throw EngineFailed(`The network ${args.name} has other containers: disconnect them first`)
      await engine.send({ method: 'DELETE', path: `/networks/${found.Id}` })
      return null
    },
    isDone: async (args) => (await findNetwork(engine, args.name)) === undefined,
  })
}
