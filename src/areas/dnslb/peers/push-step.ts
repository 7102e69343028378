import type { StepKind } from '../../../core/change.ts'
import { finalStep } from '../../../core/steps.ts'

/** The lists of this panel on their way to another one. */
export interface PushArgs {
  readonly peerId: number
  readonly peer: string
  /** Differs from that of every other push. */
  readonly pushId: string
  /** True for a superuser, who may reach internal addresses. */
  readonly isAdmin: boolean
  /** Names of the lists, for the plan. */
  readonly lists: readonly string[]
}

/** The outcome of a push; the message is empty if the other panel took the lists. */
export interface PushResult {
  readonly success: boolean
  readonly message: string
}

interface Pushing {
  /** Pushes the lists to another panel and records it; what it refuses is in the result. */
  readonly push: (args: PushArgs, signal: AbortSignal) => Promise<PushResult>
  readonly wasPushed: (args: PushArgs) => Promise<boolean>
}

/** Makes the kind of step that replaces the lists of another panel. */
export function pushStep({ push, wasPushed }: Pushing): StepKind<PushArgs, null, PushResult> {
  return finalStep({
    name: 'dnslb.push-lists',
    plan: ({ peer, lists }: PushArgs) => ({
      title: `Replace the lists of ${peer} by the ${lists.length} of this panel`,
      details: lists.slice(0, 100),
    }),
    why: 'the other panel has replaced its lists',
    act: (args, { signal }) => push(args, signal),
    isDone: (args) => wasPushed(args),
  })
}
