import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'
import type { Retried } from './model.ts'
import type { Courier } from './courier.ts'
import { ActionNotFound } from './problems.ts'
import type { ReplicationQueries } from './store.ts'

interface RetryArgs {
  readonly actionId: number
  /** Identifies this retry. */
  readonly token: string
  readonly title: string
}

interface Retrying {
  /** Sends the request again and records how that went; what the other server refuses is in the result. */
  readonly send: (args: RetryArgs, signal: AbortSignal) => Promise<Retried>
  readonly wasSent: (args: RetryArgs) => Promise<boolean>
}

/** Makes the kind of step that sends a request to another server again. */
export function retryStep({ send, wasSent }: Retrying): StepKind<RetryArgs, null, Retried> {
  return finalStep({
    name: 'replication-servers.retry',
    plan: ({ title }: RetryArgs) => ({ title }),
    why: 'the other server has carried the request out',
    act: (args, { signal }) => send(args, signal),
    isDone: (args) => wasSent(args),
  })
}

interface Parts {
  readonly queries: ReplicationQueries
  readonly courier: Courier
}

/** Opens the step that sends a request again. */
export function openRetryStep({ queries, courier }: Parts) {
  return retryStep({
    send: async ({ actionId, token }, signal) => {
      const action = await queries.action(actionId)
      const server = action && (await queries.find(action.server_id))
      if (server === undefined) throw ActionNotFound()
      const { outcome, code, message } = await courier.retry(action!, server, token, signal)
      if (outcome === 'success') return { success: true, response_code: code }
      return { success: false, response_code: code, error: message }
    },
    wasSent: async ({ actionId, token }) => (await queries.action(actionId))?.retry_token === token,
  })
}
