import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '../../../core/endpoint.ts'
import { type Query, read, run } from '../../../web/client.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import type * as endpoints from '../endpoints.ts'
import type { UserDraft, UserEdit } from '../model.ts'

type Answer<Name extends keyof typeof endpoints> = AnswerOf<(typeof endpoints)[Name]>

export type ApiKey = Answer<'listApiKeys'>['keys'][number]

/** GET /users */
export const useUsers = (asked: Query) =>
  useQuery({
    queryKey: ['users', asked],
    queryFn: ({ signal }) => read<Answer<'listUsers'>>('/users', asked, signal),
    placeholderData: keepPreviousData,
  })

/** GET /users/{uid} */
export const useUser = (uid: number) =>
  useQuery({
    queryKey: ['users', uid],
    queryFn: ({ signal }) => read<Answer<'getUser'>>(`/users/${uid}`, {}, signal),
  })

/** POST /users */
export const createUser = (body: UserDraft) =>
  run<Answer<'createUser'>>({ method: 'POST', path: '/users', body }).finally(() => readAgain('users'))

/** PATCH /users/{uid} */
export const editUser = (uid: number, body: UserEdit) =>
  run({ method: 'PATCH', path: `/users/${uid}`, body }).finally(() => readAgain('users', 'me'))

/** GET /users/permission-slugs */
export const usePermissionSlugs = () =>
  useQuery({
    queryKey: ['permission-slugs'],
    queryFn: ({ signal }) => read<Answer<'listPermissionSlugs'>>('/users/permission-slugs', {}, signal),
    staleTime: Infinity,
  })

/** GET /users/{uid}/permissions */
export const usePermissions = (uid: number) =>
  useQuery({
    queryKey: ['users', uid, 'permissions'],
    queryFn: ({ signal }) => read<Answer<'getPermissions'>>(`/users/${uid}/permissions`, {}, signal),
  })

/** POST /users/{uid}/permissions */
export const useSetPermissions = (uid: number) =>
  useMutation({
    mutationFn: (permissions: readonly string[]) =>
      run({ method: 'POST', path: `/users/${uid}/permissions`, body: { permissions } }),
    onSuccess: () => notify('The permissions were saved.'),
    onSettled: () => readAgain('users', 'me', 'areas'),
  })

/** GET /users/{uid}/api-keys */
export const useApiKeys = (uid: number) =>
  useQuery({
    queryKey: ['users', uid, 'keys'],
    queryFn: async ({ signal }) =>
      (await read<Answer<'listApiKeys'>>(`/users/${uid}/api-keys`, {}, signal)).keys,
  })

/** POST /users/{uid}/api-keys */
export const createApiKey = (uid: number, name: string) =>
  run<Answer<'createApiKey'>>({ method: 'POST', path: `/users/${uid}/api-keys`, body: { name } }).finally(
    () => readAgain('users'),
  )
