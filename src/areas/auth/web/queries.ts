import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { queryClient, readAgain } from '../../../web/queries.ts'
import { leave } from '../../../web/session.ts'
import type { PasswordEdit } from '../model.ts'
import { auth } from './api.ts'

/** GET /auth/me */
export const useMe = () =>
  useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => run(auth.me(), signal),
    staleTime: 60_000,
  })

/** GET /auth/sessions */
export const useSessions = () =>
  useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => run(auth.listSessions(), signal),
  })

/** DELETE /auth/sessions/{id} */
export const useEndSession = () =>
  useMutation({
    mutationFn: (id: number) => run(auth.endSession({ params: { id } })),
    onSuccess: () => readAgain('sessions'),
  })

/** POST /auth/password: all sessions end. */
export async function changePassword(body: PasswordEdit): Promise<void> {
  await run(auth.changePassword({ body }))
  queryClient.clear()
  leave()
}

/** POST /auth/logout; signs this tab out even if the panel cannot be reached. */
export const useSignOut = () =>
  useMutation({
    mutationFn: () => run(auth.signOut()),
    onSettled: () => {
      queryClient.clear()
      leave()
    },
  })
