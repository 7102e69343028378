import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'

interface Cancelling {
  cancel(id: number): Promise<void>
  /** Whether a job was asked to stop, or is over. */
  isCancelled(id: number): Promise<boolean>
}

/** The step that asks a job to stop. What the job has done by then is its own to undo. */
export function cancelStep({
  cancel,
  isCancelled,
}: Cancelling): StepKind<{ readonly id: number }, null, null> {
  return finalStep({
    name: 'jobs.cancel',
    plan: ({ id }: { readonly id: number }) => ({ title: `Ask job ${id} to stop` }),
    why: 'a cancelled job does not go on',
    act: async ({ id }) => {
      await cancel(id)
      return null
    },
    isDone: ({ id }) => isCancelled(id),
  })
}
