import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { type Call, type Query, read, run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import type { Page } from '../../../web/wire.ts'
import type { LogLines, Website, WebsiteDraft } from '../model.ts'

/** GET /websites */
export const useWebsites = (asked: Query) =>
  useQuery({
    queryKey: ['websites', asked],
    queryFn: ({ signal }) => read<Page<Website>>('/websites', asked, signal),
    placeholderData: keepPreviousData,
  })

/** GET /websites/{id} */
export const useWebsite = (id: number) =>
  useQuery({
    queryKey: ['websites', id],
    queryFn: ({ signal }) => read<Website>(`/websites/${id}`, {}, signal),
  })

/** POST /websites */
export const createWebsite = (body: WebsiteDraft) =>
  run<Website>({ method: 'POST', path: '/websites', body }).finally(() => readAgain('websites'))

/** The calls on the further names of a website. */
export const aliasCalls = (id: number) => ({
  add: (name: string): Call => ({ method: 'POST', path: `/websites/${id}/aliases`, body: { name } }),
  remove: (name: string): Call => ({
    method: 'DELETE',
    path: `/websites/${id}/aliases/${encodeURIComponent(name)}`,
  }),
})

/** POST /websites/{id}/aliases */
export const addAlias = (id: number, name: string) =>
  run<Website>(aliasCalls(id).add(name)).finally(() => readAgain('websites'))

/** DELETE /websites/{id}/aliases/{name} */
export const useRemoveAlias = (id: number) =>
  useMutation({
    mutationFn: (name: string) => run(aliasCalls(id).remove(name)),
    onSettled: () => readAgain('websites'),
  })

/** GET /websites/{id}/logs */
export const useWebsiteLogs = (id: number, asked: Query) =>
  useQuery({
    queryKey: ['websites', id, 'logs', asked],
    queryFn: ({ signal }) => read<Static<typeof LogLines>>(`/websites/${id}/logs`, asked, signal),
    placeholderData: keepPreviousData,
  })
