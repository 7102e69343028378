import { useQuery } from '@tanstack/react-query'
import type { Call } from '../call.ts'
import { run } from '../client.ts'
import { previewOf } from './PlanView.tsx'

/** The plan of a call as of now; it is requested again whenever it is shown. */
export const usePlan = (call: Call) =>
  useQuery({
    queryKey: ['plan', call],
    queryFn: ({ signal }) => run(previewOf(call), signal),
    staleTime: 0,
    gcTime: 0,
  })
