import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Query } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { jobs } from './api.ts'

/** GET /jobs, polled every few seconds while the page is visible. */
export const useJobs = (asked: Query) =>
  useQuery({
    queryKey: ['jobs', asked],
    queryFn: ({ signal }) => run(jobs.listJobs({ query: asked }), signal),
    placeholderData: keepPreviousData,
    refetchInterval: 5000,
  })

/** GET /jobs/{id}, polled until it has ended: its events do not tell of its steps. */
export const useJob = (id: number) =>
  useQuery({
    queryKey: ['jobs', id],
    queryFn: ({ signal }) => run(jobs.getJob({ params: { id } }), signal),
    refetchInterval: ({ state }) => (state.data?.finished_at === null ? 1500 : false),
  })
