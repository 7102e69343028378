import { usesResult, type StepKinds, type Work } from '../work.ts'
import { undoArgsOf } from './step.ts'
import type { Written } from './written-rows.ts'

/** The reason why a settled change is not undone by id, as the end of a sentence; null if it can be. */
export function refusalOf(work: Work, kinds: StepKinds, written: Written): string | null {
  const reason = work.steps
    .map((_, index) => refusalOfStep(work, index, kinds))
    .find((each) => each !== undefined)
  return (
    reason ??
    written.refusal ??
    (work.steps.length + written.rows.length > 0 ? null : nothingDone(work, written))
  )
}

function refusalOfStep(work: Work, index: number, kinds: StepKinds): string | undefined {
  const step = work.steps[index]
  const kind = step && kinds.get(step.kind)
  if (step === undefined || kind === undefined) return 'a step of it is unknown'
  const undone = undoArgsOf(step)
  if (undone !== undefined) return undone.notRepeated
  const { notUndone } = kind
  return typeof notUndone === 'function' ? notUndone(step.args) : notUndone
}

function nothingDone({ jobs }: Work, { left }: Written): string {
  const [job] = jobs
  return job === undefined ? (left[0] ?? 'it changed nothing') : `the job “${job.title}” did the work`
}

/** The reason why an undo of a step is not taken back; undefined if it can be. */
export function whyNotRepeated(work: Work, index: number): string | undefined {
  return usesResult(work, index) ? 'a repeated step would return another result' : undefined
}
