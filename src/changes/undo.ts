import { actingStep } from '../core/acting.ts'
import type { StepKinds, StoredStep, Work } from './work.ts'

interface Undone {
  readonly failures: readonly Error[]
  /** The work, reduced to the steps that could not be undone. */
  readonly left: Work
}

/** Undoes every step that acted, or began to, in reverse. Continues after a failure; returns the failures. */
export async function undoSteps(work: Work, kinds: StepKinds, changeId: number): Promise<Undone> {
  const failures: Error[] = []
  const left: StoredStep[] = []
  for (const [index, step] of [...work.steps.entries()].toReversed()) {
    if (!step.isActing) continue
    try {
      const kind = kinds.get(step.kind)
      if (kind === undefined) throw new Error(`no tool of this panel knows the step ${step.kind}`)
      await actingStep.run({ token: `${changeId}:${index}` }, async () => kind.undo(step.args, step.before))
    } catch (error) {
      failures.push(error instanceof Error ? error : new Error(String(error)))
      left.unshift(step)
    }
  }
  return { failures, left: { ...work, steps: left } }
}
