import Type from 'typebox'
import { accountOf } from '../users/index.ts'
import { job } from './context.ts'

/** Measures the homes of hosting users, each under the uid of its owner, every six hours. */
export const measureHomes = job({
  kind: 'limits.measure-homes',
  input: Type.Object({}),
  timeoutMs: 3_600_000,
  attempts: 1,
  resumes: false,
  schedule: '41 */6 * * *',
  run: async ({ limits: { queries, users, owners }, signal, log }) => {
    let measured = 0
    for (const { user_id, username } of await queries.users()) {
      signal.throwIfAborted()
      const account = await accountOf(users, username)
      if (account === undefined) continue
      try {
        const { bytes } = await owners.of({ ...account, name: username }).dirsize('', { signal })
        await queries.noteSize({ user_id, bytes, measured_at: new Date().toISOString() })
        measured++
      } catch (error) {
        signal.throwIfAborted()
        log.error({ err: error, username }, 'the home of a user could not be measured')
      }
    }
    return { measured }
  },
})
