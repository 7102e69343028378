import { AlreadyDone, Conflict, type Problem, ServerError } from '../../core/problem.ts'
import type { JobRow } from '../../jobs/tables.ts'
import type { Store } from '../../store/store.ts'

/** The end of work: its reply, or the error for those who wait for one. */
export type Ended =
  | {
      readonly reply: unknown
      /** The activity entry by which it can be undone. */
      readonly undoId?: number | undefined
    }
  | { readonly outcome: 'failed' | 'restored' | 'cancelled'; readonly error: Error }

export const cancelledEnd: Ended = { outcome: 'cancelled', error: Conflict('The work was cancelled') }

/**
 * Passes the end of work to those who wait for it. A reply that contains a secret is passed on here and not
 * stored.
 */
export function openEnds(store: Store) {
  const waiting = new Map<number, Set<(ended: Ended) => void>>()
  const listen = (jobId: number, listener: (ended: Ended) => void): (() => void) => {
    const listeners = waiting.get(jobId) ?? new Set()
    waiting.set(jobId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) waiting.delete(jobId)
    }
  }
  return {
    tell: (jobId: number, ended: Ended): void => waiting.get(jobId)?.forEach((listener) => listener(ended)),
    of: async (jobId: number, signal: AbortSignal): Promise<Ended> => {
      const { promise, resolve, reject } = Promise.withResolvers<Ended>()
      const leave = () => reject(signal.reason)
      const forget = listen(jobId, resolve)
      signal.addEventListener('abort', leave)
      try {
        signal.throwIfAborted()
        const stored = await storedEnd(store, jobId)
        return stored ?? (await promise)
      } finally {
        signal.removeEventListener('abort', leave)
        forget()
      }
    },
  }
}

/** The stored end of work; undefined while it is queued or running. */
async function storedEnd(store: Store, jobId: number): Promise<Ended | undefined> {
  const row = await store.db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirst()
  if (row === undefined) return { outcome: 'failed', error: ServerError('The job is gone') }
  if (row.state === 'queued' || row.state === 'running') return undefined
  if (row.state === 'cancelled') return cancelledEnd
  if (row.state === 'succeeded') return replyOf(row)
  const outcome = row.state === 'interrupted' ? 'restored' : 'failed'
  return { outcome, error: ServerError(row.message) }
}

function replyOf({ result, change_id }: JobRow): Ended {
  const reply: unknown = JSON.parse(result ?? 'null')
  if (reply !== null) return { reply }
  return { outcome: 'failed', error: goneReply(change_id ?? 0) }
}

const goneReply = (changeId: number): Problem => AlreadyDone(undefined, { fields: { change_id: changeId } })
