import { useQuery } from '@tanstack/react-query'
import { jobs } from '../../../areas/jobs/web/api.ts'
import { run } from '../../client.ts'

const mostShown = 20

/** GET /jobs: those that run and those that wait, polled faster while there are some. */
export const useActiveJobs = () =>
  useQuery({
    queryKey: ['jobs', 'active'],
    queryFn: async ({ signal }) => {
      const inState = (state: 'running' | 'queued') =>
        run(jobs.listJobs({ query: { state, per_page: mostShown, sort: '-id' } }), signal)
      const [running, queued] = await Promise.all([inState('running'), inState('queued')])
      return {
        items: [...running.items, ...queued.items].slice(0, mostShown),
        total: running.total + queued.total,
      }
    },
    refetchInterval: ({ state }) => (state.data?.total ? 2000 : 5000),
  })
