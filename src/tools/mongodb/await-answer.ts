import type { StepKind } from '../../core/change.ts'
import { poll } from '../../core/poll.ts'
import { finalStep } from '../../core/steps.ts'
import { NotServing } from './problems.ts'
import type { DocumentConnection } from './wire/client.ts'

const limitMs = 60_000

/** The step that waits until a server that was started answers. */
export const awaitAnswer = (
  connection: DocumentConnection,
  isRunning: () => Promise<boolean>,
): StepKind<null, null, null> =>
  finalStep<null>({
    name: 'mongodb.await-answer',
    plan: () => ({ title: 'Wait until MongoDB answers' }),
    why: 'it changes nothing',
    act: async () => {
      await untilAnswering(connection, isRunning)
      return null
    },
    isDone: () =>
      ping(connection).then(
        () => true,
        () => false,
      ),
  })

const ended = 'it ended after its start: its log, journalctl --unit=mongod or /var/log/mongodb, says why'

/** Waits until the server answers; fails with the last reason, and at once where its service has ended. */
export async function untilAnswering(
  connection: DocumentConnection,
  isRunning: () => Promise<boolean> = async () => true,
): Promise<void> {
  let reason: unknown
  const state = await poll(
    async () => {
      try {
        await ping(connection)
        return 'answering'
      } catch (error) {
        reason = error
        return (await isRunning()) ? undefined : 'ended'
      }
    },
    { limitMs, everyMs: 200 },
  )
  if (state === 'answering') return
  if (state === 'ended') throw NotServing(`MongoDB: ${ended}`)
  throw NotServing(reason instanceof Error ? reason.message : String(reason))
}

const ping = (connection: DocumentConnection) => connection.run('admin', { ping: 1 })
