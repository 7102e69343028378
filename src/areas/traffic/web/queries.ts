import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { traffic } from './api.ts'

/** GET /websites/{id}/statistics */
export const useStatistics = (id: number, hours: number) =>
  useQuery({
    queryKey: ['websites', id, 'statistics', hours],
    queryFn: ({ signal }) => run(traffic.getStatistics({ params: { id }, query: { hours } }), signal),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
