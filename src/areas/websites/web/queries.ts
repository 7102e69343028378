import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Query } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import type { WebsiteDraft, WebsiteEdit } from '../model.ts'
import { websites } from './api.ts'

/** GET /websites */
export const useWebsites = (asked: Query) =>
  useQuery({
    queryKey: ['websites', asked],
    queryFn: ({ signal }) => run(websites.listWebsites({ query: asked }), signal),
    placeholderData: keepPreviousData,
  })

/** GET /websites/{id} */
export const useWebsite = (id: number) =>
  useQuery({
    queryKey: ['websites', id],
    queryFn: ({ signal }) => run(websites.getWebsite({ params: { id } }), signal),
  })

/** GET /websites/{id}/dns */
export const useWebsiteDns = (id: number) =>
  useQuery({
    queryKey: ['websites', id, 'dns'],
    queryFn: ({ signal }) => run(websites.getDns({ params: { id } }), signal),
  })

/** GET /websites/dns-templates */
export const useSiteDnsTemplates = () =>
  useQuery({
    queryKey: ['websites', 'dns-templates'],
    queryFn: ({ signal }) => run(websites.listSiteDnsTemplates(), signal),
  })

/** GET /settings/website-creation-lock */
export const useCreationLock = () =>
  useQuery({
    queryKey: ['websites', 'creation-lock'],
    queryFn: ({ signal }) => run(websites.readCreationLock(), signal),
  })

/** POST /websites */
export const createWebsite = (body: WebsiteDraft) =>
  run(websites.createWebsite({ body })).finally(() => readAgain('websites'))

/** The call that changes the settings of a website. */
export const editCall = (id: number, body: WebsiteEdit) => websites.editWebsite({ params: { id }, body })

/** PATCH /websites/{id} */
export const editWebsite = (id: number, body: WebsiteEdit) =>
  run(editCall(id, body)).finally(() => readAgain('websites'))

/** The calls for the aliases of a website. */
export const aliasCalls = (id: number) => ({
  add: (name: string) => websites.addAlias({ params: { id }, body: { name } }),
  remove: (name: string) => websites.removeAlias({ params: { id, name } }),
})

/** POST /websites/{id}/aliases */
export const addAlias = (id: number, name: string) =>
  run(aliasCalls(id).add(name)).finally(() => readAgain('websites'))
