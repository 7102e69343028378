import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Query } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { wordpress } from './api.ts'

/** GET /wordpress */
export const useWordPressList = (asked: Query) =>
  useQuery({
    queryKey: ['wordpress', 'list', asked],
    queryFn: ({ signal }) => run(wordpress.listWordPress({ query: asked }), signal),
    placeholderData: keepPreviousData,
  })

/** GET /wordpress/{id} */
export const useWordPress = (id: number) =>
  useQuery({
    queryKey: ['wordpress', 'one', id],
    queryFn: ({ signal }) => run(wordpress.readWordPress({ params: { id } }), signal),
  })

/** Reads what is shown of WordPress, and the backups that a change of it makes, again. */
export const readWordPressAgain = (): Promise<void> => readAgain('wordpress', 'websites', 'backups')
