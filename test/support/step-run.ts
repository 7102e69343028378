import type { StepRun } from '../../src/core/change.ts'

/** What the executor hands to an act, for tests that call one by hand. */
export function stepRun<Before, Live = unknown>(before: Before, live?: Live): StepRun<Before, Live> {
  return { before, live: live as Live, signal: AbortSignal.timeout(10_000) }
}
