import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Query, read } from '../../../web/client.ts'
import type { Page } from '../../../web/wire.ts'
import type { Job } from '../model.ts'

/** GET /jobs, again every few seconds while it is looked at. */
export const useJobs = (asked: Query) =>
  useQuery({
    queryKey: ['jobs', asked],
    queryFn: ({ signal }) => read<Page<Job>>('/jobs', asked, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 5000,
  })

/** GET /jobs/{id} */
export const useJob = (id: number) =>
  useQuery({ queryKey: ['jobs', id], queryFn: ({ signal }) => read<Job>(`/jobs/${id}`, {}, signal) })
