import { isSame } from '../core/steps.ts'
import type { Log } from '../core/log.ts'
import { undoSteps } from './undo.ts'
import { markActing, type StepKinds, type Work } from './work.ts'

/** What the steps of an interrupted turn left on the host, for the next turn to continue. */
export interface LeftWork {
  /**
   * The work of the next turn. If its steps are others, or their arguments are not known yet, what was left is
   * undone first.
   */
  continuedBy(planned: Work): Promise<Work>
  undo(): Promise<void>
}

interface Leaving {
  readonly work: Work
  readonly kinds: StepKinds
  readonly changeId: number
  readonly log: Log
}

/** Opens what an interrupted turn left. */
export function openLeftWork({ work, kinds, changeId, log }: Leaving): LeftWork {
  const undo = async () => {
    const { failures } = await undoSteps(work, kinds, changeId)
    for (const failure of failures) log.error({ err: failure, changeId }, 'undoing a step failed')
  }
  return {
    undo,
    continuedBy: async (planned) => {
      const isContinued = work.steps.every(
        ({ kind, args, isActing }, index) =>
          !isActing || (planned.steps[index]?.kind === kind && isSame(planned.steps[index]?.args, args)),
      )
      if (isContinued)
        return work.steps.reduce(
          (next, { isActing, before }, index) => (isActing ? markActing(next, index, before) : next),
          planned,
        )
      await undo()
      return planned
    },
  }
}

/** True if every step that acted may act again on what it left, so that none is undone before the next turn. */
export function canContinue({ steps }: Work, kinds: StepKinds): boolean {
  const acting = steps.filter(({ isActing }) => isActing)
  return acting.length > 0 && acting.every(({ kind }) => kinds.get(kind)?.continues === true)
}
