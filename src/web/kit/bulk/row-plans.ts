import { useQuery } from '@tanstack/react-query'
import type { Call } from '../../call.ts'
import { run } from '../../client.ts'
import { textOf } from '../../wire.ts'
import { type Plan, previewOf, refusalsOf } from '../PlanView.tsx'

/** The plan of one row, or why the row cannot be changed. */
export interface RowPlan {
  readonly plan?: Plan
  readonly problem?: string
}

/** Requests the plans of calls, one after the other; none are requested for an empty list. */
export const useRowPlans = (calls: readonly Call[]) =>
  useQuery({
    queryKey: ['plans', calls],
    queryFn: async ({ signal }) => {
      const plans: RowPlan[] = []
      for (const call of calls) plans.push(await planOf(call, signal))
      return plans
    },
    enabled: calls.length > 0,
    staleTime: Infinity,
    gcTime: 0,
  })

async function planOf(call: Call, signal: AbortSignal): Promise<RowPlan> {
  try {
    const plan = await run(previewOf(call), signal)
    const problem = refusalsOf(plan)[0]
    return { plan, ...(problem !== undefined && { problem }) }
  } catch (error) {
    return { problem: textOf(error) }
  }
}
