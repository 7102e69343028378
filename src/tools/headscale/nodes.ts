import type { StepKind } from '../../core/change.ts'
import { finalStep, stateStep, type Was } from '../../core/steps.ts'
import { plannedObject } from '../../host/apply/steps.ts'
import type { HeadscaleApi } from './api.ts'
import { listNodes, type MeshNode } from './objects.ts'

interface NodeArgs {
  readonly id: number
  /** For people. */
  readonly name: string
}

const nodeWith = async (api: HeadscaleApi, id: number): Promise<MeshNode | undefined> =>
  (await listNodes(api)).find((node) => node.id === id)

/** True if a node has to join again. */
export const isExpired = ({ expiresAt }: Pick<MeshNode, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now.toISOString()

/** The step that ends the key of a node, so that it is cut off until it joins again. */
export const expireNode = (api: HeadscaleApi): StepKind<NodeArgs, null, null> =>
  finalStep<NodeArgs>({
    name: 'headscale.expire-node',
    plan: ({ name }) => ({ title: `Expire the node ${name}` }),
    why: 'the node has to join again',
    act: async ({ id }) => {
      await api.send({ method: 'POST', path: `/node/${id}/expire` })
      return null
    },
    isDone: async ({ id }) => {
      const node = await nodeWith(api, id)
      return node === undefined || isExpired(node, new Date())
    },
  })

/** The step that deletes a node. */
export const deleteNode = (api: HeadscaleApi): StepKind<NodeArgs, null, null> =>
  finalStep<NodeArgs>({
    name: 'headscale.delete-node',
    plan: ({ name }) => ({ title: `Delete the node ${name}` }),
    why: 'the node has to join again',
    act: async ({ id }) => {
      await api.send({ method: 'DELETE', path: `/node/${id}` }, /not found/i)
      return null
    },
    isDone: async ({ id }) => (await nodeWith(api, id)) === undefined,
  })

interface RoutesArgs extends NodeArgs {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

/** Each approved network, so that what others approve in the meantime is told apart. */
type Approved = Readonly<Record<string, true>>

/** The step that changes which networks may be reached through a node; the server takes the whole list. */
export function approveRoutes(api: HeadscaleApi): StepKind<RoutesArgs, Was<Approved>, null> {
  const read = async ({ id }: RoutesArgs): Promise<Approved | undefined> => {
    const node = await nodeWith(api, id)
    return node && Object.fromEntries(node.approved.map((route) => [route, true as const]))
  }
  const wanted = ({ add, remove }: RoutesArgs, was: Approved | undefined): Approved | undefined => {
    const kept = Object.keys(was ?? {}).filter((route) => !remove.includes(route))
    return Object.fromEntries([...kept, ...add].map((route) => [route, true as const]))
  }
  return stateStep<RoutesArgs, Approved>({
    name: 'headscale.approve-routes',
    plan: ({ name }) => ({ title: `Set which networks are reached through ${name}` }),
    ...plannedObject({
      object: ({ name }: RoutesArgs) => `routes of ${name}`,
      read,
      wanted,
      show: (state) => Object.keys(state).toSorted().join(', ') || 'none',
    }),
    read,
    wanted,
    write: async ({ id }, state = {}) => {
      const routes = Object.keys(state).toSorted()
      await api.send({ method: 'POST', path: `/node/${id}/approve_routes`, body: { routes } })
    },
  })
}
