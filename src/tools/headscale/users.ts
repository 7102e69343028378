import type { StepKind } from '../../core/change.ts'
import { finalStep, stateStep, type Was } from '../../core/steps.ts'
import type { HeadscaleApi } from './api.ts'
import { listUsers } from './objects.ts'

interface UserArgs {
  readonly name: string
}

/** The step that creates a user of the mesh, and returns its id. */
export function createUser(api: HeadscaleApi): StepKind<UserArgs, Was<string>, { readonly id: number }> {
  const find = async (name: string) => (await listUsers(api)).find((user) => user.name === name)
  return stateStep<UserArgs, string, { readonly id: number }>({
    name: 'headscale.create-user',
    plan: ({ name }) => ({ title: `Create the user ${name} of the mesh` }),
    read: async ({ name }) => ((await find(name)) === undefined ? undefined : name),
    wanted: ({ name }) => name,
    write: async ({ name }, wanted) => {
      const found = await find(name)
      if (wanted !== undefined) await api.send({ method: 'POST', path: '/user', body: { name } })
      else if (found !== undefined) await api.send({ method: 'DELETE', path: `/user/${found.id}` })
    },
    result: async ({ name }) => ({ id: (await find(name))?.id ?? 0 }),
  })
}

interface DeletionArgs extends UserArgs {
  readonly id: number
}

/** The step that deletes a user of the mesh, who has no nodes. */
export const deleteUser = (api: HeadscaleApi): StepKind<DeletionArgs, null, null> =>
  finalStep<DeletionArgs>({
    name: 'headscale.delete-user',
    plan: ({ name }) => ({ title: `Delete the user ${name} of the mesh` }),
    why: 'the keys of the user are deleted too',
    act: async ({ id }) => {
      await api.send({ method: 'DELETE', path: `/user/${id}` }, /not found/i)
      return null
    },
    isDone: async ({ id }) => !(await listUsers(api)).some((user) => user.id === id),
  })
