import { AlreadyDone, IdempotencyConflict, InProgress } from '../core/problem.ts'
import type { Store } from '../store/store.ts'
import type { Actor } from './actor.ts'
import type { Order, Outcome } from './executor.ts'

/** The key that a caller sent with a request, and the digest of its input. */
export interface Idempotency {
  readonly key: string
  /** Of everything that is known before the change is decided: all but the content of an incoming file. */
  readonly digest: string
  readonly content?: StreamedContent
}

/** An incoming file, too large for memory: its digest is known once it has been read. */
export interface StreamedContent {
  /** Undefined until it has been read to its end. */
  readonly digest: () => string | undefined
  /** Reads all of it, keeping nothing, and returns its digest. */
  readonly read: () => Promise<string | undefined>
}

const keptHours = 24

/**
 * Returns the change of an earlier request with this key, if any; throws a conflict if that was another
 * request.
 */
export async function earlierChange(store: Store, actor: Actor, { key, digest }: Idempotency) {
  const row = await store.db
    .selectFrom('changes')
    .select(['id', 'job_id', 'state', 'reply', 'request_digest', 'created_at'])
    .where('user_id', 'is not distinct from', actor.entry.user_id)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (Date.parse(row.created_at) < Date.now() - keptHours * 3_600_000 && row.state === 'settled') {
    await store.transaction((tx) =>
      tx.updateTable('changes').set({ idempotency_key: null }).where('id', '=', row.id).execute(),
    )
    return undefined
  }
  const [earlier, content] = row.request_digest?.split(' ') ?? []
  if (earlier !== digest) throw conflict(key)
  return { ...row, content }
}

/**
 * Returns the reply to an earlier request with this key, if any; throws a conflict if that was another
 * request, or still runs.
 */
export async function earlierAnswer(
  store: Store,
  actor: Actor,
  idempotency: Idempotency,
): Promise<Outcome<unknown> | undefined> {
  const row = await earlierChange(store, actor, idempotency)
  if (row === undefined) return undefined
  if (row.state !== 'settled' && row.state !== 'provisional') throw InProgress()
  if (row.content !== undefined && row.content !== (await idempotency.content?.read()))
    throw conflict(idempotency.key)
  if (row.reply === null) throw AlreadyDone(undefined, { fields: { change_id: row.id } })
  return { changeId: row.id, reply: JSON.parse(row.reply), isRepeat: true }
}

/** The lock name of a key, per user. */
export const keyName = (userId: number | null, key: string): string => `Idempotency-Key ${userId} ${key}`

/** The lock name of an order's key; none if it has no key. */
export const keyNames = ({ actor, idempotency }: Pick<Order<unknown>, 'actor' | 'idempotency'>) =>
  idempotency ? [keyName(actor.entry.user_id, idempotency.key)] : []

/**
 * The digests that a repeat is compared with after the change: a content that was not read to its end had no
 * part in the reply.
 */
export function carriedOutDigest({ digest, content }: Idempotency): string {
  return [digest, content?.digest()].filter((each) => each !== undefined).join(' ')
}

function conflict(key: string): Error {
  return IdempotencyConflict(`Idempotency-Key: ${key} was used with another request`)
}

/** The keys of running requests, from before they decide: a repeat meanwhile is refused at once. */
export function openKeys() {
  const running = new Map<string, string>()
  return {
    claim: ({ entry }: Actor, { key, digest }: Idempotency): (() => void) => {
      const name = keyName(entry.user_id, key)
      const holder = running.get(name)
      if (holder === digest) throw InProgress()
      if (holder !== undefined) throw conflict(key)
      running.set(name, digest)
      return () => void running.delete(name)
    },
  }
}

export type Keys = ReturnType<typeof openKeys>
