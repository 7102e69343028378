import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import type { ProcessOrder } from '../model.ts'
import { processes } from './api.ts'

/** GET /system/processes, polled every five seconds while the page is visible. */
export const useProcesses = (sort: ProcessOrder) =>
  useQuery({
    queryKey: ['processes', sort],
    queryFn: async ({ signal }) =>
      (await run(processes.listProcesses({ query: { sort } }), signal)).processes,
    placeholderData: keepPreviousData,
    refetchInterval: 5000,
  })
