import { useMutation, useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { read, run } from '../../../web/client.ts'
import { queryClient, readAgain } from '../../../web/queries.ts'
import { leave } from '../../../web/session.ts'
import type { Me, PasswordEdit, Session } from '../model.ts'

/** GET /auth/me */
export const useMe = () =>
  useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => read<Static<typeof Me>>('/auth/me', {}, signal),
    staleTime: 60_000,
  })

/** GET /auth/sessions */
export const useSessions = () =>
  useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => read<Static<typeof Session>[]>('/auth/sessions', {}, signal),
  })

/** DELETE /auth/sessions/{id} */
export const useEndSession = () =>
  useMutation({
    mutationFn: (id: number) => run({ method: 'DELETE', path: `/auth/sessions/${id}` }),
    onSuccess: () => readAgain('sessions'),
  })

/** POST /auth/password: all sessions end. */
export async function changePassword(body: PasswordEdit): Promise<void> {
  await run({ method: 'POST', path: '/auth/password', body })
  queryClient.clear()
  leave()
}

/** POST /auth/logout; this tab is signed out also when the panel cannot be reached. */
export const useSignOut = () =>
  useMutation({
    mutationFn: () => run({ method: 'POST', path: '/auth/logout' }),
    onSettled: () => {
      queryClient.clear()
      leave()
    },
  })
