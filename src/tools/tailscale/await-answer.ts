import type { StepKind } from '../../core/change.ts'
import { poll } from '../../core/poll.ts'
import { finalStep } from '../../core/steps.ts'
import { type Client, readLocalNode } from './client.ts'
import { ClientFailed } from './problems.ts'

const limitMs = 30_000

/** The step that waits until the started client answers. */
export function awaitAnswer(client: Client): StepKind<null, null, null> {
  const answers = () =>
    readLocalNode(client).then(
      () => true,
      () => false,
    )
  return finalStep<null>({
    name: 'tailscale.await-answer',
    plan: () => ({ title: 'Wait until the mesh client answers' }),
    why: 'it changes nothing',
    act: async (_args, { signal }) => {
      const polling = { limitMs, everyMs: 200, signal }
      if (!(await poll(async () => (await answers()) || undefined, polling)))
        throw ClientFailed(`The mesh client did not answer within ${limitMs / 1000} s: read its log`)
      return null
    },
    isDone: answers,
  })
}
