import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { dashboard } from './api.ts'

/** GET /dashboard, polled while the page is visible. */
export const useDashboard = () =>
  useQuery({
    queryKey: ['dashboard'],
    queryFn: ({ signal }) => run(dashboard.getDashboard(), signal),
    refetchInterval: 15_000,
    staleTime: 0, // whoever comes back from another page expects to see what they did there
  })
