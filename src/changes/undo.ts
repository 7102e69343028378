import type { StepKinds, Work } from './work.ts'

/** Undoes every step that acted, or began to, in reverse. Goes on when one fails; answers the failures. */
export async function undoSteps(work: Work, kinds: StepKinds): Promise<readonly Error[]> {
  const failures: Error[] = []
  for (const step of work.steps.toReversed()) {
    if (!step.isActing) continue
    try {
      const kind = kinds.get(step.kind)
      if (kind === undefined) throw new Error(`no tool of this panel knows the step ${step.kind}`)
      await kind.undo(step.args, step.before)
    } catch (error) {
      failures.push(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return failures
}
