import type { StepKind } from '../../../core/change.ts'
import { BadRequest } from '../../../core/problem.ts'
import type { Engine } from '../engine.ts'
import { Inspected, Made } from '../shapes.ts'
import { changeLabel, type ContainerSpec, creationOf } from '../spec.ts'

interface CreateArgs {
  readonly spec: ContainerSpec
  /** Drawn by the caller: finds the container again, and tells it from another of the same name. */
  readonly token: string
}

interface CreateResult {
  readonly id: string
}

/** Creates a container, which does not run yet; the undo removes it with its anonymous volumes. */
export function createContainer(name: string, engine: Engine): StepKind<CreateArgs, null, CreateResult> {
  const find = (of: string) => engine.find(Inspected, `/containers/${encodeURIComponent(of)}/json`)
  const findOwn = async ({ spec, token }: CreateArgs) => {
    const found = await find(spec.name)
    return found?.Config.Labels?.[changeLabel] === token ? found : undefined
  }
  return {
    name,
    plan: ({ spec }) => ({
      title: `Create the container ${spec.name}`,
      objects: [{ name: spec.name, before: null, after: shown(spec) }],
    }),
    changed: ({ spec }) => ({ objects: [{ name: spec.name, before: null, after: shown(spec) }] }),
    observe: async (args) => {
      const found = await find(args.spec.name)
      if (found !== undefined && found.Config.Labels?.[changeLabel] !== args.token)
        throw BadRequest(`name: another container is called ${args.spec.name}`)
      return null
    },
    act: async (args) => {
      const own = await findOwn(args)
      if (own !== undefined) return { id: own.Id }
      const { spec, token } = args
      const { Id } = await engine.read(Made, {
        method: 'POST',
        path: `/containers/create?${new URLSearchParams({ name: spec.name })}`,
        body: creationOf(spec, token),
      })
      return { id: Id }
    },
    undo: async (args) => {
      const own = await findOwn(args)
      if (own) await engine.send({ method: 'DELETE', path: `/containers/${own.Id}?force=1&v=1` })
    },
    check: async (args) => ((await findOwn(args)) === undefined ? 'before' : 'wanted'),
    again: async (args) => {
      const own = await findOwn(args)
      return own && { id: own.Id }
    },
    notUndone: 'it may have stored something since: remove the container',
  }
}

function shown({ image, ports, volumes }: ContainerSpec): string {
  const published = ports.map(({ ip, host, container, protocol }) =>
    [...(ip === '' ? [] : [ip]), host, `${container}/${protocol}`].join(':'),
  )
  const mounted = volumes.map(({ source, target, isReadOnly }) =>
    [source, target, ...(isReadOnly ? ['ro'] : [])].join(':'),
  )
  return [image, ...published, ...mounted].join(', ')
}
