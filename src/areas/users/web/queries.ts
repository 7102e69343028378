import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '../../../web/sent.ts'
import type { Query } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import type { listApiKeys } from '../endpoints.ts'
import type { ExistingUserDraft, KeyDraft, UserDraft, UserEdit } from '../model.ts'
import { users } from './api.ts'

export type ApiKey = AnswerOf<typeof listApiKeys>['keys'][number]

/** GET /users */
export const useUsers = (asked: Query) =>
  useQuery({
    queryKey: ['users', asked],
    queryFn: ({ signal }) => run(users.listUsers({ query: asked }), signal),
    placeholderData: keepPreviousData,
  })

/** GET /users/{uid} */
export const useUser = (uid: number) =>
  useQuery({
    queryKey: ['users', uid],
    queryFn: ({ signal }) => run(users.getUser({ params: { uid } }), signal),
  })

/** POST /users */
export const createUser = (body: UserDraft) =>
  run(users.createUser({ body })).finally(() => readAgain('users'))

/** POST /users/register-existing */
export const registerExisting = (body: ExistingUserDraft) =>
  run(users.registerExisting({ body })).finally(() => readAgain('users'))

/** PATCH /users/{uid} */
export const editUser = (uid: number, body: UserEdit) =>
  run(users.editUser({ params: { uid }, body })).finally(() => readAgain('users', 'me'))

/** GET /users/permission-slugs */
export const usePermissionSlugs = () =>
  useQuery({
    queryKey: ['permission-slugs'],
    queryFn: ({ signal }) => run(users.listPermissionSlugs(), signal),
    staleTime: Infinity,
  })

/** GET /users/{uid}/permissions */
export const usePermissions = (uid: number) =>
  useQuery({
    queryKey: ['users', uid, 'permissions'],
    queryFn: ({ signal }) => run(users.getPermissions({ params: { uid } }), signal),
  })

/** POST /users/{uid}/permissions */
export const useSetPermissions = (uid: number) =>
  useMutation({
    mutationFn: (permissions: readonly string[]) =>
      run(users.setPermissions({ params: { uid }, body: { permissions } })),
    onSuccess: () => notify('The permissions were saved.'),
    onSettled: () => readAgain('users', 'me', 'areas'),
  })

/** GET /users/{uid}/api-keys */
export const useApiKeys = (uid: number) =>
  useQuery({
    queryKey: ['users', uid, 'keys'],
    queryFn: async ({ signal }) => (await run(users.listApiKeys({ params: { uid } }), signal)).keys,
  })

/** POST /users/{uid}/api-keys */
export const createApiKey = (uid: number, draft: KeyDraft) =>
  run(users.createApiKey({ params: { uid }, body: draft })).finally(() => readAgain('users'))

/** GET /users/{uid}/sudo */
export const useSudo = (uid: number) =>
  useQuery({
    queryKey: ['users', uid, 'sudo'],
    queryFn: ({ signal }) => run(users.readSudo({ params: { uid: String(uid) } }), signal),
  })

/** GET /users/{uid}/webapps */
export const useWebapps = (uid: number) =>
  useQuery({
    queryKey: ['users', uid, 'webapps'],
    queryFn: ({ signal }) => run(users.listWebapps({ params: { uid } }), signal),
  })
