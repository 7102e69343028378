import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Query } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { applications } from './api.ts'

/** GET /applications */
export const useApplications = (asked: Query) =>
  useQuery({
    queryKey: ['applications', 'list', asked],
    queryFn: ({ signal }) => run(applications.listApplications({ query: asked }), signal),
    placeholderData: keepPreviousData,
  })

/** GET /applications/catalog */
export const useApplicationCatalog = () =>
  useQuery({
    queryKey: ['applications', 'catalog'],
    queryFn: ({ signal }) => run(applications.readApplicationCatalog(), signal),
  })

/** Reads the applications and the websites again. */
export async function readApplicationsAgain(): Promise<void> {
  await readAgain('applications')
  await readAgain('websites')
}
