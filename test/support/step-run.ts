import type { StepRun } from '../../src/core/change.ts'
import { hangMs } from './until.ts'

/** The argument that the executor passes to `act`, for tests that call it directly. */
export function stepRun<Before, Live = unknown>(
  before: Before,
  live?: Live,
  more: Partial<StepRun<Before, Live>> = {},
): StepRun<Before, Live> {
  return {
    before,
    isJustObserved: false,
    live: live as Live,
    signal: AbortSignal.timeout(hangMs),
    token: '1:0',
    progress: () => {},
    output: () => {},
    ...more,
  }
}
