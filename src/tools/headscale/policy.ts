import Type from 'typebox'
import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { unifiedDiff } from '../../core/unified-diff.ts'
import { type HeadscaleApi, parserOf } from './api.ts'

const parse = parserOf(Type.Object({ policy: Type.String({ maxLength: 2_000_000 }) }))

/** A policy without rules, which allows everything. */
const none = '{}'

/** Reads the policy as its author wrote it; undefined where there is none, so that everything is allowed. */
export async function readPolicy(api: HeadscaleApi): Promise<string | undefined> {
  const body = await api.send({ method: 'GET', path: '/policy' }, /acl policy not found/i)
  const text = body === undefined ? '' : parse(body).policy
  return text.trim() === '' || text.trim() === none ? undefined : text
}

/** Has the server check a policy without using it; throws ServerRefused with its words. */
export async function checkPolicy(api: HeadscaleApi, policy: string): Promise<void> {
  await api.send({ method: 'POST', path: '/policy/check', body: { policy } })
}

interface PolicyArgs {
  /** Null for none: everything is allowed. */
  readonly policy: string | null
}

/** The step that sets the policy, which the server checks and applies at once. */
export const setPolicy = (api: HeadscaleApi): StepKind<PolicyArgs, Was<string>, null> =>
  stateStep<PolicyArgs, string>({
    name: 'headscale.set-policy',
    plan: ({ policy }) => ({
      title: policy === null ? 'Remove the policy of the mesh' : 'Set the policy of the mesh',
    }),
    preview: async ({ policy }) => changed(await readPolicy(api), policy ?? undefined),
    changed: (_args, was, wanted) => changed(was, wanted),
    read: () => readPolicy(api),
    wanted: ({ policy }) => policy ?? undefined,
    write: async (_args, policy) => {
      await api.send({ method: 'PUT', path: '/policy', body: { policy: policy ?? none } })
    },
  })

const shownPath = 'policy.json'
const changed = (was: string | undefined, wanted: string | undefined) => ({
  files: [{ path: shownPath, diff: unifiedDiff(shownPath, was, wanted) }],
})
