import type { StepRun } from '../../src/core/change.ts'

/** What the executor hands to an act, for tests that call one by hand. */
export function stepRun<Before, Live = unknown>(
  before: Before,
  live?: Live,
  more: Partial<StepRun<Before, Live>> = {},
): StepRun<Before, Live> {
  return {
    before,
    live: live as Live,
    signal: AbortSignal.timeout(10_000),
    token: '1:0',
    progress: () => {},
    output: () => {},
    ...more,
  }
}
