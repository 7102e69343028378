import Type from 'typebox'
import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'
import { type HeadscaleApi, parserOf } from './api.ts'
import { listApiKeys, listPreAuthKeys } from './objects.ts'
import { prefixOf } from './stored-key.ts'

interface PreAuthKeyArgs {
  readonly user_id: number
  readonly reusable: boolean
  readonly ephemeral: boolean
  readonly expires_at: string
  readonly tags: readonly string[]
}

interface Before {
  /** The keys that were there. */
  readonly ids: readonly number[]
}

const parsePreAuthKey = parserOf(
  Type.Object({ preAuthKey: Type.Object({ id: Type.String(), key: Type.String({ maxLength: 500 }) }) }),
)

/** The step that makes a key with which a node joins; the server shows it this once. */
export function createPreAuthKey(
  api: HeadscaleApi,
): StepKind<PreAuthKeyArgs, Before, { readonly id: number; readonly key: string }> {
  const ids = async () => (await listPreAuthKeys(api)).map(({ id }) => id)
  const fresh = async ({ ids: former }: Before) => (await ids()).filter((id) => !former.includes(id))
  return {
    name: 'headscale.create-preauth-key',
    plan: ({ reusable }) => ({
      title: `Make a key with which ${reusable ? 'several nodes join' : 'one node joins'}`,
    }),
    observe: async () => ({ ids: await ids() }),
    act: async ({ user_id, reusable, ephemeral, expires_at, tags }) => {
      const body = {
        ...{ user: String(user_id), reusable, ephemeral },
        ...{ expiration: expires_at, aclTags: tags },
      }
      const { preAuthKey } = parsePreAuthKey(await api.send({ method: 'POST', path: '/preauthkey', body }))
      return { id: Number(preAuthKey.id), key: preAuthKey.key }
    },
    undo: async (_args, before) => {
      for (const id of await fresh(before))
        await api.send({ method: 'DELETE', path: `/preauthkey?id=${id}` }, /not found/i)
    },
    notUndone: 'later keys would be deleted too: expire the key instead',
    check: async (_args, before) => ((await fresh(before)).length > 0 ? 'wanted' : 'before'),
  }
}

/** The step that ends a key with which nodes join. */
export const expirePreAuthKey = (api: HeadscaleApi): StepKind<{ readonly id: number }, null, null> =>
  finalStep<{ readonly id: number }>({
    name: 'headscale.expire-preauth-key',
    plan: ({ id }) => ({ title: `Expire the key ${id}` }),
    why: 'an expired key is never valid again',
    act: async ({ id }) => {
      await api.send({ method: 'POST', path: '/preauthkey/expire', body: { id: String(id) } })
      return null
    },
    isDone: async ({ id }) => {
      const key = (await listPreAuthKeys(api)).find((each) => each.id === id)
      const { expiresAt = null } = key ?? {}
      return key === undefined || (expiresAt !== null && expiresAt <= new Date().toISOString())
    },
  })

const parseApiKey = parserOf(Type.Object({ apiKey: Type.String({ maxLength: 500 }) }))

/** The step that makes a key of the API for another program; the server shows it this once. */
export function createApiKey(
  api: HeadscaleApi,
): StepKind<{ readonly expires_at: string }, Before, { readonly key: string }> {
  const fresh = async ({ ids }: Before) => (await listApiKeys(api)).filter(({ id }) => !ids.includes(id))
  return {
    name: 'headscale.create-api-key',
    plan: () => ({ title: 'Make a key of the API of the control server' }),
    observe: async () => ({ ids: (await listApiKeys(api)).map(({ id }) => id) }),
    act: async ({ expires_at }) => {
      const body = { expiration: expires_at }
      return { key: parseApiKey(await api.send({ method: 'POST', path: '/apikey', body })).apiKey }
    },
    undo: async (_args, before) => {
      for (const { prefix } of await fresh(before))
        await api.send(
          { method: 'DELETE', path: `/apikey/${encodeURIComponent(prefixOf(prefix))}` },
          /not found/i,
        )
    },
    notUndone: 'later keys would be deleted too: expire the key instead',
    check: async (_args, before) => ((await fresh(before)).length > 0 ? 'wanted' : 'before'),
  }
}
