import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'

interface Tested {
  readonly channelId: number
  readonly target: string
}

interface Testing {
  /** Sends a test to a channel. */
  readonly sendTest: (channelId: number, signal: AbortSignal) => Promise<void>
  /** True if that succeeded since the panel was started. */
  readonly wasSent: (channelId: number) => Promise<boolean>
}

/** Makes the kind of step that sends a test to a channel. */
export function testStep({ sendTest, wasSent }: Testing): StepKind<Tested, null, null> {
  return finalStep({
    name: 'notifications.test',
    plan: ({ target }: Tested) => ({ title: `Send a test to ${target}` }),
    why: 'a message that was sent cannot be taken back',
    act: async ({ channelId }, { signal }) => {
      await sendTest(channelId, signal)
      return null
    },
    isDone: ({ channelId }) => wasSent(channelId),
  })
}
