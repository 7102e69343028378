import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import type { PageCacheEdit } from '../model.ts'
import { pageCache } from './api.ts'

/** GET /websites/{id}/page-cache */
export const usePageCache = (id: number) =>
  useQuery({
    queryKey: ['websites', id, 'page-cache'],
    queryFn: ({ signal }) => run(pageCache.readPageCache({ params: { id } }), signal),
    refetchInterval: 30_000,
  })

/** The call that changes the page cache of a website. */
export const editCall = (id: number, body: PageCacheEdit) => pageCache.editPageCache({ params: { id }, body })

/** PATCH /websites/{id}/page-cache */
export const editPageCache = (id: number, body: PageCacheEdit) =>
  run(editCall(id, body)).finally(() => readAgain('websites'))

/** The call that removes pages, all of them or those of a path. */
export const purgeCall = (id: number, path: string) =>
  pageCache.purgePageCache({ params: { id }, body: path === '' ? {} : { path } })

/** Reads the page cache again. */
export const readPageCacheAgain = () => readAgain('websites')
