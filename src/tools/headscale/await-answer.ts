import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'
import type { HeadscaleApi } from './api.ts'
import { assertServing } from './reconfigure.ts'

/** The step that waits until a started control server answers. */
export const awaitAnswer = (api: HeadscaleApi, startMs: number): StepKind<null, null, null> =>
  finalStep<null>({
    name: 'headscale.await-answer',
    plan: () => ({ title: 'Wait until the control server answers' }),
    why: 'it changes nothing',
    act: async (_args, { signal }) => {
      await assertServing(api, { startMs, signal })
      return null
    },
    isDone: () => api.isWell(),
  })
