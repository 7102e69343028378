import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'

interface Args {
  readonly id: number
  readonly by: 'confirmed' | 'cancelled'
}

interface EndingChange {
  end(changeId: number, by: Args['by']): Promise<void>
  /** True if a change was confirmed or cancelled, or has ended by its deadline. */
  isEnded(changeId: number): Promise<boolean>
}

/** The step that confirms or cancels a provisional change. */
export function endStep({ end, isEnded }: EndingChange): StepKind<Args, null, null> {
  return finalStep({
    name: 'changes.end-provisional',
    plan: ({ id, by }: Args) => ({
      title: by === 'confirmed' ? `Confirm change ${id}` : `Undo change ${id}`,
    }),
    why: 'a change is confirmed or cancelled once',
    act: async ({ id, by }) => {
      await end(id, by)
      return null
    },
    isDone: ({ id }) => isEnded(id),
  })
}
