import type { StepKind } from '../../core/change.ts'
import { poll } from '../../core/poll.ts'
import { finalStep } from '../../core/steps.ts'
import type { PowerdnsApi } from './api.ts'
import { NotServing } from './problems.ts'

const limitMs = 20_000

/** The step that waits until the API of a started PowerDNS answers. */
export const awaitAnswer = (api: PowerdnsApi): StepKind<null, null, null> =>
  finalStep<null>({
    name: 'powerdns.await-answer',
    plan: () => ({ title: 'Wait until PowerDNS answers' }),
    why: 'it changes nothing',
    act: async () => {
      await untilAnswering(api)
      return null
    },
    isDone: () => answers(api),
  })

/** True if the API answers with the key of the configuration. */
export const answers = (api: PowerdnsApi): Promise<boolean> =>
  api.readServer().then(
    () => true,
    () => false,
  )

/** Waits until the API answers; fails after 20 s with the last reason. */
export async function untilAnswering(api: PowerdnsApi): Promise<void> {
  if (await poll(async () => (await answers(api)) || undefined, { limitMs, everyMs: 200 })) return
  const reason = await api.readServer().then(
    () => 'it answered late',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  throw NotServing(`PowerDNS did not answer within ${limitMs / 1000} s: ${reason}`)
}
