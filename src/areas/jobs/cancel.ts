import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'
import type { JobRow } from '../../jobs/tables.ts'

const over: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled', 'interrupted'])

/** True if a job has ended. */
export const isOver = ({ state }: Pick<JobRow, 'state'>): boolean => over.has(state)

interface Cancelling {
  cancel(id: number): Promise<void>
  /** True if a job was asked to stop or has ended. */
  isCancelled(id: number): Promise<boolean>
}

/** The step that requests a job to stop. The job itself undoes its work. */
export function cancelStep({
  cancel,
  isCancelled,
}: Cancelling): StepKind<{ readonly id: number }, null, null> {
  return finalStep({
    name: 'jobs.cancel',
    plan: ({ id }: { readonly id: number }) => ({ title: `Ask job ${id} to stop` }),
    why: 'a cancelled job cannot be resumed',
    act: async ({ id }) => {
      await cancel(id)
      return null
    },
    isDone: ({ id }) => isCancelled(id),
  })
}
