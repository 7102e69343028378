import type { StepKind } from '../../core/change.ts'

/** The step that asks a job to stop. What the job has done by then is its own to undo. */
export function cancelStep(
  cancel: (id: number) => Promise<void>,
): StepKind<{ readonly id: number }, null, void> {
  return {
    name: 'jobs.cancel',
    plan: ({ id }) => ({ title: `Ask job ${id} to stop`, irreversible: 'a cancelled job does not go on' }),
    observe: async () => null,
    act: ({ id }) => cancel(id),
    undo: async () => {},
    check: async () => 'other',
  }
}
