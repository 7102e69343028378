import { pause } from '../../core/poll.ts'
import { ConnectionLost } from '../disk-failures.ts'

interface Watching {
  /** The time without an answer after which the server is asked, and the time between two such questions. */
  readonly silentMs: number
  /** True while the server works on the query. */
  readonly isWorking: () => Promise<boolean>
}

/** The answer may be on its way when the server has just given it. */
const inTransitMs = 200

/**
 * Passes an answer on. Where it stays away although the server does not work on the query, the connection leads nowhere: it is
 * lost. A query that the server works on, such as a commit that waits for a replica, has no limit.
 */
export function watched<Answer>(answer: Promise<Answer>, { silentMs, isWorking }: Watching): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  let isOver = false
  const ask = async () => {
    while (!isOver && (await isWorking())) await pause(silentMs)
    await pause(inTransitMs)
    if (!isOver) reject(new ConnectionLost(new Error('the server does not answer')))
  }
  const timer = setTimeout(() => void ask(), silentMs)
  const end = () => {
    isOver = true
    clearTimeout(timer)
  }
  void answer.then(resolve, reject).finally(end)
  return promise
}
