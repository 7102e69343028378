import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { showTimesIn } from '../../../web/kit/time-zone.ts'
import { leave } from '../../../web/session.ts'
import type { KeyDraft, Profile } from '../../users/model.ts'
import type { PasswordEdit } from '../model.ts'
import { auth } from './api.ts'

/** GET /auth/me */
export const useMe = () =>
  useQuery({
    queryKey: ['me'],
    queryFn: async ({ signal }) => {
      const me = await run(auth.me(), signal)
      showTimesIn(me.time_zone)
      return me
    },
    staleTime: 60_000,
  })

/** GET /auth/sessions */
export const useSessions = () =>
  useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => run(auth.listSessions(), signal),
  })

/** GET /auth/passkeys */
export const usePasskeys = () =>
  useQuery({
    queryKey: ['passkeys'],
    queryFn: ({ signal }) => run(auth.listPasskeys(), signal),
  })

/** POST /auth/password: all sessions end but that of this tab. */
export const changePassword = (body: PasswordEdit) =>
  run(auth.changePassword({ body })).finally(() => readAgain('sessions'))

/** PATCH /auth/me */
export const useEditMe = () =>
  useMutation({
    mutationFn: (body: Profile) => run(auth.editMe({ body })),
    onSettled: () => readAgain('me', 'users'),
  })

/** GET /auth/api-keys */
export const useOwnApiKeys = () =>
  useQuery({
    queryKey: ['own-keys'],
    queryFn: async ({ signal }) => (await run(auth.listOwnApiKeys(), signal)).keys,
  })

/** POST /auth/api-keys */
export const createOwnApiKey = (draft: KeyDraft) =>
  run(auth.createOwnApiKey({ body: draft })).finally(() => readAgain('own-keys'))

/** POST /auth/logout; signs this tab out even if the panel cannot be reached. */
export const useSignOut = () =>
  useMutation({
    mutationFn: () => run(auth.signOut()),
    onSettled: leave,
  })
