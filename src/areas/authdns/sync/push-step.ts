import type { StepKind } from '../../../core/change.ts'
import { finalStep } from '../../../core/steps.ts'

/** Zones that are pushed to one server. */
export interface PushArgs {
  readonly serverId: number
  readonly server: string
  readonly zones: readonly string[]
  /** Of every zone; greater than that of each earlier push. */
  readonly changeId: number
}

/** The outcome of a push to one server. */
export interface PushResult {
  readonly success: boolean
  readonly pushed: number
  readonly failed: number
  /** Null if it accepted every zone. */
  readonly message: string | null
}

interface Pushing {
  /** Pushes zones to a server and records each; what it refuses is in the result. */
  readonly push: (args: PushArgs, signal: AbortSignal) => Promise<PushResult>
  /** True if a push was recorded for each of the zones. */
  readonly wasPushed: (args: PushArgs) => Promise<boolean>
}

/** Makes the kind of step that pushes zones to a sync server. */
export function pushStep({ push, wasPushed }: Pushing): StepKind<PushArgs, null, PushResult> {
  return finalStep({
    name: 'authdns.push-zones',
    plan: ({ server, zones }: PushArgs) => ({
      title: `Push ${zones.length} zones to ${server}`,
      details: zones.slice(0, 100),
    }),
    why: 'the other panel has applied the zones',
    act: (args, { signal }) => push(args, signal),
    isDone: (args) => wasPushed(args),
  })
}
