import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { updates } from './api.ts'

/** GET /system/updates */
export const useUpdates = () =>
  useQuery({
    queryKey: ['updates'],
    queryFn: ({ signal }) => run(updates.listUpdates(), signal),
    staleTime: 30_000,
  })

/** POST /system/updates, which only fetches the package lists */
export const useRefresh = (onStarted: (jobId: number) => void) =>
  useMutation({
    mutationFn: () => run(updates.installUpdates({ body: { action: 'refresh' } })),
    onSuccess: ({ job_id: jobId }) => onStarted(jobId),
  })
