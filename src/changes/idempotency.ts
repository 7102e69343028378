import { AlreadyDone, IdempotencyConflict, InProgress } from '../core/problem.ts'
import type { Store } from '../store/store.ts'
import type { Actor } from './actor.ts'
import type { Outcome } from './executor.ts'

/** The key that a caller gave to a request, and the digest of what it asked for. */
export interface Idempotency {
  readonly key: string
  readonly digest: string
}

const keptHours = 24

/** The answer of an earlier request with this key, if there was one; a conflict when it is another request, or still runs. */
export async function earlierAnswer(store: Store, actor: Actor, { key, digest }: Idempotency): Promise<Outcome<unknown> | undefined> {
  const row = await store.db
    .selectFrom('changes')
    .select(['id', 'state', 'reply', 'request_digest', 'created_at'])
    .where('user_id', 'is not distinct from', actor.entry.user_id)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (Date.parse(row.created_at) < Date.now() - keptHours * 3_600_000 && row.state === 'settled') {
    await store.transaction((tx) => tx.updateTable('changes').set({ idempotency_key: null }).where('id', '=', row.id).execute())
    return undefined
  }
  if (row.request_digest !== digest) throw IdempotencyConflict(`Idempotency-Key: ${key} was used with another request`)
  if (row.state !== 'settled') throw InProgress()
  if (row.reply === null) throw AlreadyDone(undefined, { fields: { change_id: row.id } })
  return { changeId: row.id, reply: JSON.parse(row.reply), isRepeat: true }
}

/** The keys of the requests that are being carried out, from before they decide: a repeat meanwhile is refused at once. */
export function openKeys() {
  const running = new Map<string, string>()
  return {
    claim: ({ entry }: Actor, { key, digest }: Idempotency): (() => void) => {
      const name = `${entry.user_id} ${key}`
      const holder = running.get(name)
      if (holder === digest) throw InProgress()
      if (holder !== undefined) throw IdempotencyConflict(`Idempotency-Key: ${key} was used with another request`)
      running.set(name, digest)
      return () => void running.delete(name)
    },
  }
}
