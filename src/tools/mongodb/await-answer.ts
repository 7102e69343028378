import type { StepKind } from '../../core/change.ts'
import { poll } from '../../core/poll.ts'
import { finalStep } from '../../core/steps.ts'
import { NotServing } from './problems.ts'
import type { DocumentConnection } from './wire/client.ts'

const limitMs = 60_000

/** The step that waits until a server that was started answers. */
export const awaitAnswer = (connection: DocumentConnection): StepKind<null, null, null> =>
  finalStep<null>({
    name: 'mongodb.await-answer',
    plan: () => ({ title: 'Wait until MongoDB answers' }),
    why: 'it changes nothing',
    act: async () => {
      await untilAnswering(connection)
      return null
    },
    isDone: () =>
      ping(connection).then(
        () => true,
        () => false,
      ),
  })

/** Waits until the server answers; fails with the last reason. */
export async function untilAnswering(connection: DocumentConnection): Promise<void> {
  let reason: unknown
  const isAnswering = () =>
    ping(connection).then(
      () => true,
      (error: unknown) => {
        reason = error
        return undefined
      },
    )
  if (await poll(isAnswering, { limitMs, everyMs: 200 })) return
  throw NotServing(reason instanceof Error ? reason.message : String(reason))
}

const ping = (connection: DocumentConnection) => connection.run('admin', { ping: 1 })
