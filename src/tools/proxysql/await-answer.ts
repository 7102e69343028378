import type { StepKind } from '../../core/change.ts'
import { poll } from '../../core/poll.ts'
import { finalStep } from '../../core/steps.ts'
import { type Admin, plain } from './admin.ts'
import { NotServing } from './problems.ts'

const limitMs = 30_000

/** True if the admin interface answers. */
export const answers = (admin: Admin): Promise<boolean> =>
  admin.run(plain('SELECT 1')).then(
    () => true,
    () => false,
  )

/** The step that waits until the admin interface of a started ProxySQL answers. */
export const awaitAnswer = (admin: Admin): StepKind<null, null, null> =>
  finalStep<null>({
    name: 'proxysql.await-answer',
    plan: () => ({ title: 'Wait until ProxySQL answers' }),
    why: 'it changes nothing',
    act: async () => {
      if (await poll(async () => (await answers(admin)) || undefined, { limitMs, everyMs: 200 })) return null
      const reason = await admin.run(plain('SELECT 1')).then(
        () => 'it answered late',
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      throw NotServing(`ProxySQL did not answer within ${limitMs / 1000} s: ${reason}`)
    },
    isDone: () => answers(admin),
  })
